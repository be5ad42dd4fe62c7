import type { TaskId } from '../../core/ids.js';
import type { ForegroundEnd } from '../../core/task-types.js';
import type { TaskCapabilities } from '../capabilities/task-capabilities.js';

/**
 * Wait for a task that no other owner would end, until it ends or is moved to the background. An abort kills the task
 * and is passed on when it has ended, unless the task had completed before the kill.
 */
export async function waitOrKill(
  tasks: TaskCapabilities,
  id: TaskId,
  signal: AbortSignal,
): Promise<ForegroundEnd> {
  try {
    return await tasks.waitInForeground(id, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const outcome = await tasks.kill(id, 'interrupted');
    if (outcome.status === 'completed') return outcome;
    throw error;
  }
}
