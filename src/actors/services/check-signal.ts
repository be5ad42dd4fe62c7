import { UsageError } from '../../core/errors.js';

/** Check the signal before anything starts. @throws UsageError */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const { aborted, addEventListener } = Object(signal) as Partial<AbortSignal>; // a program may pass anything
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function')
    throw new UsageError(
      'signal is no AbortSignal: give the `signal` of an AbortController, or AbortSignal.timeout(ms).',
    );
}
