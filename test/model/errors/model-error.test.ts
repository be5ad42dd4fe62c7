import { describe, expect, it } from 'vitest';
import { ModelEndedEarlyError } from '../../../src/model/errors/broken-reply-errors.js';
import { classifyModelError } from '../../../src/model/errors/model-error.js';

function httpError(status: number, headers: Record<string, string>) {
  return Object.assign(new Error(`${status} sorry`), { status, headers: new Headers(headers) });
}

describe('classifyModelError', () => {
  it.each([
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT' }, 0],
  ])('reads %j as %i ms', (headers, retryAfterMs) => {
    expect(classifyModelError(httpError(429, headers)).retryAfterMs).toBe(retryAfterMs);
  });

  it('reads a date that is still to come as the time until then', () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    const { retryAfterMs } = classifyModelError(httpError(429, { 'retry-after': date }));
    expect(retryAfterMs).toBeGreaterThan(20_000);
    expect(retryAfterMs).toBeLessThanOrEqual(30_000);
  });

  it('ends what the endpoint said before it gives advice', () => {
    expect(classifyModelError(httpError(404, {})).message).toBe(
      "The model's endpoint answered 404: 404 sorry. Check --model and ANTHROPIC_BASE_URL: the endpoint knows no such model or path.",
    );
  });

  it('shows a body on one line, cut', () => {
    const error = Object.assign(new Error(`404 <html>\n<p>${'x'.repeat(5_000)}`), { status: 404 });
    const { message } = classifyModelError(error);
    const advice =
      ' Check --model and ANTHROPIC_BASE_URL: the endpoint knows no such model or path.';
    expect(message).toBe(
      `The model's endpoint answered 404: 404 <html> <p>${'x'.repeat(285)}…${advice}`,
    );
  });

  it('does not wait for a time that cannot be read', () => {
    const failure = classifyModelError(httpError(503, { 'retry-after': 'soon' }));
    expect(failure).toEqual({
      kind: 'retry',
      code: 'MODEL_SERVER_ERROR',
      status: 503,
      message: "The model's endpoint answered 503: 503 sorry",
      isOverloaded: true,
    });
  });

  it.each([
    [400, 'true', 'retry'],
    [500, 'false', 'fatal'],
  ])('lets the server overrule status %i by x-should-retry: %s', (status, asked, kind) => {
    expect(classifyModelError(httpError(status, { 'x-should-retry': asked })).kind).toBe(kind);
  });

  it.each([
    ['an early end', new ModelEndedEarlyError(), 'retry', 'MODEL_ENDED_EARLY'],
    ['a cut', new Error('terminated'), 'retry', 'MODEL_STREAM_CUT'],
    [
      'a cut below fetch',
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('x'), { code: 'UND_ERR_SOCKET' }),
      }),
      'retry',
      'MODEL_STREAM_CUT',
    ],
    [
      'a certificate that is not trusted',
      Object.assign(
        new Error('Connection error.', {
          cause: Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
        }),
        { name: 'APIConnectionError' },
      ),
      'fatal',
      'MODEL_TLS',
    ],
    ['an event that is no JSON', new SyntaxError('Unexpected token'), 'retry', 'MODEL_BAD_ANSWER'],
    ['anything else', new Error('surprise'), 'fatal', 'MODEL_ERROR'],
    ['what is no error', 'surprise', 'fatal', 'MODEL_ERROR'],
    ['an abort', new DOMException('stop', 'AbortError'), 'abort', 'MODEL_ABORTED'],
  ])('knows %s', (_name, error, kind, code) => {
    expect(classifyModelError(error)).toMatchObject({ kind, code });
  });

  it.each([
    ['prompt is too long: 208310 tokens > 200000 maximum', 'CONTEXT_WINDOW_EXCEEDED'],
    [
      'input length and `max_tokens` exceed context limit: 199999 + 32000',
      'CONTEXT_WINDOW_EXCEEDED',
    ],
    ['messages: at least one message is required', 'MODEL_BAD_REQUEST'],
  ])('tells a conversation that does not fit from a bad request: %s', (told, code) => {
    const refused = Object.assign(httpError(400, {}), { apiMessage: told });
    const broken = Object.assign(new Error('x'), {
      type: 'invalid_request_error',
      apiMessage: told,
    });
    expect(classifyModelError(refused)).toMatchObject({ kind: 'fatal', code, status: 400 });
    expect(classifyModelError(broken)).toMatchObject({ kind: 'fatal', code });
  });

  it.each([
    ['503', httpError(503, {}), true],
    ['529', httpError(529, {}), true],
    ['in mid-stream', Object.assign(new Error('x'), { type: 'overloaded_error' }), true],
    ['500', httpError(500, {}), undefined],
  ])('knows what is overloaded: %s', (_name, error, isOverloaded) => {
    expect(classifyModelError(error).isOverloaded).toBe(isOverloaded);
  });

  it('calls everything an abort once the signal is aborted', () => {
    const failure = classifyModelError(httpError(500, {}), AbortSignal.abort());
    expect(failure).toEqual({
      kind: 'abort',
      code: 'MODEL_ABORTED',
      message: 'The model request was stopped.',
    });
  });
});
