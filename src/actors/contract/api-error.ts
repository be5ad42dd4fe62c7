import type { Failure } from '../../core/failure.js';

/** Kinds of errors of model requests, in the words of the contract. */
export type ApiErrorKind =
  | 'authentication_failed'
  | 'billing_error'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'model_not_found'
  | 'server_error'
  | 'unknown';

const KINDS: Readonly<Record<string, ApiErrorKind>> = {
  CONTEXT_WINDOW_EXCEEDED: 'invalid_request',
  MODEL_AUTH_MISSING: 'authentication_failed',
  MODEL_AUTH_REFUSED: 'authentication_failed',
  MODEL_BAD_REQUEST: 'invalid_request',
  MODEL_NOT_FOUND: 'model_not_found',
  MODEL_OVERLOADED: 'overloaded',
  MODEL_PAYMENT_REQUIRED: 'billing_error',
  MODEL_RATE_LIMITED: 'rate_limit',
  MODEL_REQUEST_TOO_LARGE: 'invalid_request',
  MODEL_SERVER_ERROR: 'server_error',
};

/** @param code of a failed model request */
export function toApiErrorKind(code: string): ApiErrorKind {
  return KINDS[code] ?? 'unknown';
}

/** Whether a failure comes from a model request, and not from a limit of Troupe. */
export function isApiFailure({ code }: Failure): boolean {
  return code in KINDS || code.startsWith('MODEL_');
}

/** The HTTP status of the model request that a failure comes from; undefined if there was none. */
export function apiStatusOf({ details }: Failure): number | undefined {
  const status = details?.['status'];
  return typeof status === 'number' ? status : undefined;
}
