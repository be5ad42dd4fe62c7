import type { TaskId } from '../../core/ids.js';
import type { TaskOutcome } from '../../core/task-types.js';
import type { TaskCapabilities } from '../capabilities/task-capabilities.js';

/**
 * Return the outcome of the task, or undefined if it still runs after `timeoutMs`. Rejects with the signal's reason.
 */
export async function waitWithin(
  tasks: TaskCapabilities,
  id: TaskId,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<TaskOutcome | undefined> {
  signal.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    return await tasks.waitFor(id, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (late.signal.aborted && !signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
