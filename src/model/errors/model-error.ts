import { isTroupeError, nameAndMessageOf } from '../../core/errors.js';
import { isRecord } from '../../core/json/is-record.js';
import { readRateLimit, type RateLimit } from './rate-limit.js';
import { contextWindowExceeded } from '../stop-reasons.js';

/**
 * The kind of a failed model request: `retry` may succeed later, `abort` was intended, `fatal` fails the same way
 * again. `code` and `message` are for people and journals.
 */
export type ModelErrorClass = {
  readonly kind: 'retry' | 'abort' | 'fatal';
  readonly code: string;
  readonly message: string;
  /** The HTTP status, if there was one. */
  readonly status?: number;
  /** The delay that the server asks for. */
  readonly retryAfterMs?: number;
  /** The model is overloaded: another one may not be. */
  readonly isOverloaded?: true;
  /** Facts of a rate limit. */
  readonly rateLimit?: RateLimit;
};

/**
 * Classify the error of a {@link Model}. By names and fields, not by classes, so that no SDK is loaded for it.
 *
 * @param signal of the request: if it is aborted, every error is an `abort`.
 */
export function classifyModelError(error: unknown, signal?: AbortSignal): ModelErrorClass {
  if (signal?.aborted === true || isAbort(error)) {
    return { kind: 'abort', code: 'MODEL_ABORTED', message: 'The model request was stopped.' };
  }
  if (isTroupeError(error)) {
    const { code, message } = error;
    return { kind: error.retryable ? 'retry' : 'fatal', code, message };
  }
  const status = statusOf(error);
  if (status !== undefined) return classifyStatus(error, status);
  const message = messageOf(error);
  if (error instanceof SyntaxError) {
    return {
      kind: 'retry',
      code: 'MODEL_BAD_ANSWER',
      message: `The model's answer is invalid: an event is not JSON (${message}).`,
    };
  }
  const type = stringField(error, 'type');
  if (type !== undefined) return classifyErrorEvent(error, type, apiMessageOf(error) ?? message);
  return classifyTransport(error, message);
}

function isAbort(error: unknown): boolean {
  const name = nameOf(error);
  return name === 'APIUserAbortError' || name === 'AbortError';
}

function classifyStatus(error: unknown, status: number): ModelErrorClass {
  const told = apiMessageOf(error) ?? shortened(messageOf(error)); // without the API's words: a whole body, of any kind
  const asked = headerOf(error, 'x-should-retry');
  const isRetried = asked === 'true' || (asked !== 'false' && isRetriedStatus(status));
  const retryAfterMs = isRetried ? retryAfterOf(error) : undefined;
  if (status === 400 && TOO_LONG.test(told))
    return { kind: 'fatal', status, ...contextWindowExceeded(`The endpoint says: ${told}`) };
  return {
    kind: isRetried ? 'retry' : 'fatal',
    code: STATUS_CODES[status] ?? (status >= 500 ? 'MODEL_SERVER_ERROR' : 'MODEL_REFUSED'),
    message: `The model's endpoint answered ${status}: ${withAdvice(told, STATUS_ADVICE[status])}`,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(status === 503 || status === 529 ? { isOverloaded: true } : {}),
    ...(status === 429 ? { rateLimit: rateLimitOf(error) } : {}),
  };
}

/** The API's messages about a conversation that does not fit. */
const TOO_LONG = /prompt is too long|exceeds? (?:the )?(?:model's )?context (?:limit|window)/i;

function isRetriedStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

const STATUS_CODES: { readonly [status: number]: string } = {
  400: 'MODEL_BAD_REQUEST',
  401: 'MODEL_AUTH_REFUSED',
  402: 'MODEL_PAYMENT_REQUIRED',
  403: 'MODEL_FORBIDDEN',
  404: 'MODEL_NOT_FOUND',
  408: 'MODEL_TIMEOUT',
  409: 'MODEL_CONFLICT',
  413: 'MODEL_REQUEST_TOO_LARGE',
  429: 'MODEL_RATE_LIMITED',
  529: 'MODEL_OVERLOADED',
};

function withAdvice(told: string, advice: string | undefined): string {
  return advice === undefined ? told : `${told.replace(/[^.!?…]$/, '$&.')} ${advice}`;
}

const STATUS_ADVICE: { readonly [status: number]: string } = {
  401: 'The endpoint does not accept the key: check ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN or the output of apiKeyHelper.',
  402: 'The account behind ANTHROPIC_API_KEY has no credit.',
  403: 'The account behind ANTHROPIC_API_KEY may not use this model: choose another with --model.',
  404: 'Check --model and ANTHROPIC_BASE_URL: the endpoint knows no such model or path.',
  413: 'The conversation is too large: start a new one, or read less at a time.',
};

/** An `error` event inside a stream has no status, only a type. */
function classifyErrorEvent(error: unknown, type: string, told: string): ModelErrorClass {
  const known = EVENT_CODES[type];
  if (type === 'invalid_request_error' && TOO_LONG.test(told))
    return { kind: 'fatal', ...contextWindowExceeded(`The endpoint says: ${told}`) };
  return {
    kind: known?.isRetried === false ? 'fatal' : 'retry',
    code: known?.code ?? 'MODEL_SERVER_ERROR',
    message: `The model's answer broke off with ${type}: ${told}`,
    ...(type === 'overloaded_error' ? { isOverloaded: true } : {}),
    ...(type === 'rate_limit_error' ? { rateLimit: rateLimitOf(error) } : {}),
  };
}

const EVENT_CODES: {
  readonly [type: string]: { readonly code: string; readonly isRetried: boolean };
} = {
  invalid_request_error: { code: 'MODEL_BAD_REQUEST', isRetried: false },
  authentication_error: { code: 'MODEL_AUTH_REFUSED', isRetried: false },
  billing_error: { code: 'MODEL_PAYMENT_REQUIRED', isRetried: false },
  permission_error: { code: 'MODEL_FORBIDDEN', isRetried: false },
  not_found_error: { code: 'MODEL_NOT_FOUND', isRetried: false },
  request_too_large: { code: 'MODEL_REQUEST_TOO_LARGE', isRetried: false },
  rate_limit_error: { code: 'MODEL_RATE_LIMITED', isRetried: true },
  timeout_error: { code: 'MODEL_TIMEOUT', isRetried: true },
  overloaded_error: { code: 'MODEL_OVERLOADED', isRetried: true },
};

function classifyTransport(error: unknown, message: string): ModelErrorClass {
  const name = nameOf(error);
  const cause = innermostCause(error);
  const why = cause === error ? message : `${message} (${messageOf(cause)})`;
  if (name === 'APIConnectionTimeoutError' || name === 'TimeoutError') {
    const told = withAdvice(`The model did not answer: ${why}`, stringField(error, 'advice'));
    return { kind: 'retry', code: 'MODEL_TIMEOUT', message: told };
  }
  if (CERTIFICATE_CODES.test(stringField(cause, 'code') ?? '')) {
    return {
      kind: 'fatal',
      code: 'MODEL_TLS',
      message: `The endpoint's certificate is not trusted: ${why}. Set NODE_EXTRA_CA_CERTS to its authority.`,
    };
  }
  if (name === 'APIConnectionError') {
    return {
      kind: 'retry',
      code: 'MODEL_UNREACHABLE',
      message: `The model cannot be reached: ${why} ${stringField(error, 'advice') ?? 'Check the network and ANTHROPIC_BASE_URL.'}`,
    };
  }
  if (CUT_MESSAGES.test(message) || CUT_CODES.test(stringField(cause, 'code') ?? '')) {
    return { kind: 'retry', code: 'MODEL_STREAM_CUT', message: `The connection broke: ${why}` };
  }
  if (COMPRESSION_CODES.test(stringField(cause, 'code') ?? ''))
    return {
      kind: 'retry',
      code: 'MODEL_STREAM_CUT',
      message: `The model's answer cannot be decompressed: ${why}`,
    };
  return { kind: 'fatal', code: 'MODEL_ERROR', message: `The model request failed: ${why}` };
}

const CERTIFICATE_CODES = /CERT|ERR_TLS|UNABLE_TO_(?:GET|VERIFY)/;
/** The messages of undici about a socket that closed while a body was read. */
const CUT_MESSAGES = /terminated|other side closed|socket hang up|premature close/i;
const CUT_CODES =
  /^(?:UND_ERR_|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE|HPE_)/;
/** For a body that cannot be decompressed. */
const COMPRESSION_CODES = /^(?:Z_|ERR__ERROR_|ERR_BROTLI)/;

function rateLimitOf(error: unknown): RateLimit {
  return readRateLimit((name) => headerOf(error, name));
}

function retryAfterOf(error: unknown): number | undefined {
  const ms = Number.parseFloat(headerOf(error, 'retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const text = headerOf(error, 'retry-after');
  if (text === undefined) return undefined;
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function headerOf(error: unknown, header: string): string | undefined {
  const headers: unknown = isRecord(error) ? error['headers'] : undefined;
  return headers instanceof Headers ? (headers.get(header) ?? undefined) : undefined;
}

/** The API's own message, without the JSON around it. */
function apiMessageOf(error: unknown): string | undefined {
  const told = stringField(error, 'apiMessage');
  return told === undefined || told.length <= LONGEST_API_MESSAGE_CHARS
    ? told
    : `${told.slice(0, LONGEST_API_MESSAGE_CHARS - 1)}…`;
}

function statusOf(error: unknown): number | undefined {
  const status: unknown = isRecord(error) ? error['status'] : undefined;
  return typeof status === 'number' ? status : undefined;
}

function nameOf(error: unknown): string | undefined {
  return stringField(error, 'name');
}

function messageOf(error: unknown): string {
  return stringField(error, 'message') ?? nameAndMessageOf(error);
}

/** On one line, shortened. */
function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length <= LONGEST_BODY_CHARS ? line : `${line.slice(0, LONGEST_BODY_CHARS - 1)}…`;
}

const LONGEST_BODY_CHARS = 300;
const LONGEST_API_MESSAGE_CHARS = 2_000;

function stringField(error: unknown, key: string): string | undefined {
  const value: unknown = isRecord(error) ? error[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function innermostCause(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 5 && isRecord(cause) && cause['cause'] !== undefined; depth += 1) {
    cause = cause['cause'];
  }
  return cause;
}
