import { describe, expect, it } from 'vitest';
import { hideSecret } from '../../../src/model/anthropic/hide-secret.js';

const SECRET = 'sk-ant-0123456789';

describe('hideSecret', () => {
  it('hides every occurrence, in the message, the stack, the causes and what an endpoint sent', () => {
    const cause = new Error(`sent ${SECRET}, got ${SECRET}`);
    const error = Object.assign(new Error(`${SECRET} and ${SECRET}`, { cause }), {
      error: { error: { message: `your key ${SECRET}${SECRET}`, keys: [SECRET, `-${SECRET}-`] } },
      status: 401,
    });
    hideSecret(error, SECRET);
    expect(error).toMatchObject({
      message: '[hidden] and [hidden]',
      cause: { message: 'sent [hidden], got [hidden]' },
      error: { error: { message: 'your key [hidden][hidden]', keys: ['[hidden]', '-[hidden]-'] } },
      status: 401,
    });
    for (const text of [error.stack, cause.stack]) expect(text).not.toContain(SECRET);
  });

  it('leaves texts alone for a secret that is too short to be one', () => {
    const error = new Error('a bad bad key');
    hideSecret(error, 'bad');
    expect(error.message).toBe('a bad bad key');
  });

  it('takes whatever was thrown, and causes that go in a circle', () => {
    for (const thrown of ['text', null, undefined, 7]) hideSecret(thrown, SECRET);
    const error: Error & { self?: unknown } = new Error(`${SECRET} ${SECRET}`);
    error.self = error;
    hideSecret(error, SECRET);
    expect(error.message).toBe('[hidden] [hidden]');
  });
});
