/** Errors for front ends. */
export { TaskFailedError, UsageError, isTroupeError, messageOf } from '../core/errors.js';
