import { createContext, Script } from 'node:vm';

const RUN = new Script('run()');

/** The work took longer than its limit and was stopped. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/**
 * Run synchronous work, and stop it in the middle if it takes too long, even an endless regular expression. Use this
 * for work whose cost outsiders decide.
 *
 * @throws TooSlowError after `limitMs`; otherwise the error of `run`
 */
export function runWithin<T>(limitMs: number, run: () => T): T {
  try {
    return RUN.runInContext(createContext({ run }), { timeout: limitMs }) as T; // the script returns what `run` returns
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: unknown }; // from another realm, so `instanceof Error` is false
    throw code === SLOW ? new TooSlowError(`it took longer than ${limitMs} ms`) : error;
  }
}

const SLOW = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
