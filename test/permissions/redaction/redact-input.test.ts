import { describe, expect, it } from 'vitest';
import { redactInput } from '../../../src/permissions/redaction/redact-input.js';

describe('redactInput', () => {
  it('masks what is secret by its key, at any depth', () => {
    const input = {
      token: 'x',
      headers: { Authorization: 'Bearer x', accept: 'json' },
      env: [{ GITHUB_TOKEN: 'x', apiKey: 'y', client_secret: 'z', db_password: 'p' }],
      max_tokens: 5,
      author: 'me',
      secret: '',
    };
    expect(redactInput(input)).toEqual({
      token: '[redacted]',
      headers: { Authorization: '[redacted]', accept: 'json' },
      env: [
        {
          GITHUB_TOKEN: '[redacted]',
          apiKey: '[redacted]',
          client_secret: '[redacted]',
          db_password: '[redacted]',
        },
      ],
      max_tokens: 5,
      author: 'me',
      secret: '',
    });
  });

  it('masks what is secret by its shape, also if the cut goes through it', () => {
    const token = `ghp_${'a1'.repeat(30)}`;
    expect(redactInput({ command: `curl https://me:pw@host -d ${token}` })).toEqual({
      command: 'curl https://me:[redacted]@host -d [redacted]',
    });
    const { content } = redactInput({
      content: `${'a '.repeat(240)}${token} and ${'b'.repeat(90)}`,
    });
    expect(content).toBe(`${'a '.repeat(240)}[redacted] and bbbbb… (139 characters more)`);
  });

  it('cuts what is long or deep', () => {
    const { content, list } = redactInput({
      content: 'a'.repeat(510),
      list: Array.from({ length: 60 }, () => 1),
    });
    expect(content).toBe(`${'a'.repeat(500)}… (10 characters more)`);
    expect(list).toEqual([...Array.from({ length: 50 }, () => 1), '… (10 items more)']);
    const deep = { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } };
    expect(JSON.stringify(redactInput(deep))).toContain('[nested deeper]');
  });
});
