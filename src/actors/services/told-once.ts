import { types } from 'node:util';
import { messageOf } from '../../core/errors.js';

/**
 * Call a function of the program that nobody awaits. An error of it affects nothing else: the first one is reported by
 * `process.emitWarning`, later ones are dropped.
 *
 * @param what names the function in the warning
 */
export function toldOnce<Args extends readonly unknown[]>(
  what: string,
  run: (...args: Args) => unknown,
): (...args: Args) => void {
  let isTold = false;
  const tell = (error: unknown): void => {
    if (isTold) return;
    isTold = true;
    process.emitWarning(`${what} failed: ${messageOf(error)}. Later failures are not reported.`, {
      type: 'TroupeWarning',
      ...stackOf(error),
    });
  };
  return (...args) => {
    try {
      const returned = run(...args);
      if (types.isPromise(returned)) returned.catch(tell);
    } catch (error) {
      tell(error);
    }
  };
}

function stackOf(error: unknown): { readonly detail?: string } {
  try {
    return error instanceof Error && typeof error.stack === 'string' ? { detail: error.stack } : {};
  } catch {
    return {};
  }
}
