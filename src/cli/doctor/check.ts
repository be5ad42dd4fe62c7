import { given } from '../../api/given.js';
/**
 * What was found out about one thing that a run needs. `fail`: a run is refused, or lacks what it cannot do without;
 * `warn`: it goes on with less.
 */
export type Check = {
  readonly name: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What would help. */
  readonly help?: string;
};

/** A problem with what would help; the name says what was looked at. */
export function found(
  name: string,
  verdict: Check['verdict'],
  message: string,
  help?: string,
): Check {
  return { name, verdict, message, ...given({ help }) };
}
