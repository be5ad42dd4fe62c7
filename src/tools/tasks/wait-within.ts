import type { TaskId } from '../../core/ids.js';
import type { TaskOutcome } from '../../core/task-types.js';
import type { TaskCapabilities } from '../task-capabilities.js';

/**
 * Return the outcome of the task, or undefined if it still runs after `timeoutMs`. Rejects with the signal's reason.
 */
export async function waitWithin(
  tasks: TaskCapabilities,
  id: TaskId,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<TaskOutcome | undefined> {
  signal.throwIfAborted();
  const waiting = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    waiting.abort();
  }, timeoutMs);
  const giveUp = () => waiting.abort(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await tasks.waitFor(id, waiting.signal);
  } catch (error) {
    if (isLate && !signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
