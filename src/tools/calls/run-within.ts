import { createContext, Script } from 'node:vm';

const RUN = new Script('run()');

/** The work took longer than it may, and was ended. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/**
 * Runs synchronous work, and ends it in the middle if it takes too long: even a regular expression that would go on for
 * ever. Use it for work whose cost strangers decide.
 *
 * @throws TooSlowError after `limitMs`; else whatever `run` throws
 */
export function runWithin<T>(limitMs: number, run: () => T): T {
  try {
    return RUN.runInContext(createContext({ run }), { timeout: limitMs }) as T; // the script returns what `run` returns
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: unknown }; // of another realm: `instanceof Error` says no
    throw code === SLOW ? new TooSlowError(`it took longer than ${limitMs} ms`) : error;
  }
}

const SLOW = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
