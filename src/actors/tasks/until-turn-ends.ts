import { waitFor } from 'xstate';
import type { TaskId } from '../../core/ids.js';
import { workOf } from './task-activity.js';
import type { LiveTasks } from './task-registry.js';

/** Resolve when the agent of a task works on no turn. @returns false if it has ended */
export async function untilTurnEnds(tasks: LiveTasks, id: TaskId): Promise<boolean> {
  const agent = workOf(tasks, id);
  if (agent === undefined) return tasks.actorOf(id) !== undefined;
  const now = await waitFor(
    agent,
    (snapshot) => snapshot.status !== 'active' || snapshot.matches({ living: 'idle' }),
  );
  return now.status === 'active';
}
