import type { TaskId } from '../../core/ids.js';
import type { TaskOutcome } from '../../core/task-types.js';
import type { AgentEvent } from '../../machines/agent/agent-types.js';
import { isAtWork } from './task-activity.js';
import type { LiveTasks, TaskRegistry } from './task-registry.js';

/** Kill a task, and resolve when it and everything below it have ended. */
export function killTask(
  tasks: Pick<TaskRegistry, 'send' | 'waitFor'>,
  id: TaskId,
  reason: string,
): Promise<TaskOutcome> {
  tasks.send(id, { type: 'task.kill', reason });
  return tasks.waitFor(id);
}

/**
 * Move a task in the foreground to the background: its caller continues, and its parent is notified of its end.
 *
 * @returns whether it moved; false if it has ended, is ending, or is in the background already
 */
export async function backgroundTask(tasks: TaskRegistry, id: TaskId): Promise<boolean> {
  const task = tasks.find(id);
  if (task?.isBackgrounded !== false || task.type === 'session' || !isAtWork(tasks, id))
    return false;
  tasks.send(id, { type: 'task.background' });
  return (await tasks.foreground.waitFor(id)).status === 'backgrounded';
}

/** Send to the agent of a task; nothing happens if the task does not run. */
export function sendToAgent(tasks: Pick<LiveTasks, 'send'>, id: TaskId, event: AgentEvent): void {
  tasks.send(id, { type: 'work.send', event });
}
