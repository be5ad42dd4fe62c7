import type { CompactionReport } from '../../core/agents/compaction.js';
import type { TaskId } from '../../core/ids.js';
import type { Compaction } from '../agents/compaction/compaction.js';
import { CompactionFailedError } from '../agents/compaction/compaction-failed-error.js';
import { isRunning } from '../tasks/task-activity.js';
import { sendToAgent } from '../tasks/task-commands.js';
import type { LiveTasks } from '../tasks/task-registry.js';

/**
 * Compact the conversation of a live agent: at once if it is idle, otherwise before its next request.
 *
 * @param ended resolves when the agent has ended
 * @throws CompactionFailedError
 */
export async function compactAgent(
  agent: { readonly compaction: Pick<Compaction, 'next'> },
  tasks: LiveTasks,
  taskId: TaskId,
  ended: Promise<unknown>,
  instructions: string | undefined,
): Promise<CompactionReport> {
  const over = (): CompactionFailedError =>
    new CompactionFailedError({ code: 'AGENT_ENDED', message: 'the agent has ended.' });
  if (!isRunning(tasks, taskId)) throw over();
  const report = agent.compaction.next(instructions);
  sendToAgent(tasks, taskId, { type: 'agent.compact' });
  return Promise.race([
    report,
    ended.then((): never => {
      throw over();
    }),
  ]);
}
