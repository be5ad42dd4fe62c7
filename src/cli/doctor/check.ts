import { given } from '../../api/given.js';
/**
 * The result of one check. `fail`: a run is refused, or lacks a necessary part; `warn`: a run works with less.
 */
export type Check = {
  readonly name: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** How to repair the fault. */
  readonly help?: string;
};

/** Make a check: its name is the checked part, `help` the repair of its fault. */
export function found(
  name: string,
  verdict: Check['verdict'],
  message: string,
  help?: string,
): Check {
  return { name, verdict, message, ...given({ help }) };
}
