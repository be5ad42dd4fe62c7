import { describe, expect, it } from 'vitest';
import { maskSecrets, maskSecretsIn } from '../../../src/permissions/redaction/mask-secrets.js';

const LONG = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5';
const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\nAAAA\n-----END OPENSSH PRIVATE KEY-----`;

describe('maskSecrets', () => {
  it.each([
    [`a sk-ant-api03-${LONG}-x b`, 'a [redacted] b'],
    [`OpenAI('sk-proj-${LONG}')`, "OpenAI('[redacted]')"],
    [`git clone https://ghp_${LONG}@github.com/a/b`, 'git clone https://[redacted]@github.com/a/b'],
    [`github_pat_11AAAA_${LONG}.`, '[redacted].'],
    [`"glpat-${LONG}"`, '"[redacted]"'],
    [`npm_${LONG}`, '[redacted]'],
    [`xoxb-123456789012-${LONG}`, '[redacted]'],
    ['id=AKIAIOSFODNN7EXAMPLE,', 'id=[redacted],'],
    ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['TOKEN=x', 'TOKEN=[redacted]'],
    [`key AIza${LONG}`, 'key [redacted]'],
    [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${LONG}`, '[redacted]'],
    [`id-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${LONG}-x y`, 'id-[redacted] y'],
    ['curl -H "Authorization: Bearer abcdefgh12345==" x', 'curl -H "Authorization: [redacted]" x'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: [redacted]'],
    ['the header is Bearer abcdefgh12345==', 'the header is Bearer [redacted]'],
    ["-H 'authorization: tok123' x", "-H 'authorization: [redacted]' x"],
    ["-H 'X-Api-Key: k1' x", "-H 'X-Api-Key: [redacted]' x"],
    ['{"authorization":"Bearer abcdefgh1"}', '{"authorization":"[redacted]"}'],
    [`before ${KEY} after`, 'before [redacted] after'],
    [KEY.slice(0, 60), '[redacted]'],
    ['postgres://me:p@ss:w@db.example:5432/x', 'postgres://me:[redacted]@db.example:5432/x'],
    ['redis://:hunter2@cache', 'redis://:[redacted]@cache'],
    ['GITHUB_TOKEN=abc npm publish', 'GITHUB_TOKEN=[redacted] npm publish'],
    [`export db_password='a b'; ls`, 'export db_password=[redacted]; ls'],
    ['login --password hunter2 --token=t -v', 'login --password [redacted] --token=[redacted] -v'],
  ])('masks %j', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
    expect(maskSecrets(masked)).toBe(masked);
  });

  it.each([
    'npm test -- parser',
    'ssh://git@github.com:22/a/b',
    'https://example.com:8080/a@b',
    'MAX_TOKENS=5 run',
    'the bearer of this',
    'sk-1',
    'git log --author=me@example.com',
    'task-list-with-many-words-in-one-name',
    'cat token.txt',
  ])('leaves %j as it is', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it('takes a long text that is nearly one in a moment', () => {
    const from = process.cpuUsage();
    const parts = ['a', 'eyJ', 'eyJ-', '-----BEGIN PRIVATE KEY-----', 'x://', '_token', '"', ' '];
    for (const text of parts) maskSecrets(text.repeat(100_000 / text.length));
    const { user, system } = process.cpuUsage(from); // other programs do not count
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});

describe('maskSecretsIn', () => {
  it('looks at every text and every name', () => {
    expect(
      maskSecretsIn({ a: [{ [`echo ghp_${LONG}`]: 1 }, null, true], b: `ghp_${LONG}` }),
    ).toEqual({ a: [{ 'echo [redacted]': 1 }, null, true], b: '[redacted]' });
  });
});
