/** Errors for front ends. */
export { PermissionRequestOverError } from '../actors/contract/permission-request-over-error.js';
export { TaskFailedError, UsageError, isTroupeError, messageOf } from '../core/errors.js';
