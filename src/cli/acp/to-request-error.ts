import { RequestError } from '@agentclientprotocol/sdk';
import { isTroupeError, messageOf, UsageError } from '../../api/errors.js';

const AUTH_REQUIRED = -32_000;
const INVALID_PARAMS = -32_602;
const INTERNAL = -32_603;

/** Convert an error to the error response of a request: the words of Troupe, with the code that says whose mistake it is. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return new RequestError(codeOf(error), messageOf(error));
}

/** The error of a request whose content cannot be used. */
export function invalidParams(message: string): RequestError {
  return new RequestError(INVALID_PARAMS, message);
}

/** The error of a request that needs a key. */
export function authRequired(message: string): RequestError {
  return new RequestError(AUTH_REQUIRED, message);
}

/** The error of a turn that failed. */
export function failedTurn(message: string): RequestError {
  return new RequestError(INTERNAL, message);
}

function codeOf(error: unknown): number {
  if (isTroupeError(error) && error.code === 'MODEL_AUTH_MISSING') return AUTH_REQUIRED;
  return error instanceof UsageError ? INVALID_PARAMS : INTERNAL;
}
