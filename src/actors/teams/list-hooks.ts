import type { AgentId } from '../../core/ids.js';
import type { SharedTask } from '../../core/tasks/shared-task.js';
import { hookCause } from '../agents/parts/hook-subject.js';
import { mergeVerdict } from '../hooks/hook-verdict.js';
import type { EventHooks } from '../hooks/session-hooks.js';
import { sendToAgent } from '../tasks/task-commands.js';
import { memberOf } from './membership.js';
import type { MessageOwners } from './send-message.js';
import { TeamRefusedError } from './team-refused-error.js';

export type ListHookOwners = MessageOwners & { readonly hooks: EventHooks };

/** Let hooks judge a new or a completed item. @throws TeamRefusedError if a hook refuses it */
export async function judgeItem(
  owners: ListHookOwners,
  agentId: AgentId,
  event: 'TaskCreated' | 'TaskCompleted',
  { id, subject, description }: SharedTask,
): Promise<void> {
  const { hooks, agents, tasks } = owners;
  const parts = agents.live.get(agentId)?.parts;
  if (parts === undefined || !hooks.hasAny(event)) return;
  const member = memberOf(owners, agentId);
  const item = { task_id: id, task_subject: subject, task_description: description };
  const { signal } = parts.abort;
  const said = await hooks.run(event, hookCause(parts), { ...item, ...member }, signal);
  const { objections, stops } = mergeVerdict(said);
  const stopsHere = event === 'TaskCompleted' ? stops : undefined;
  if (stopsHere !== undefined && member !== undefined)
    sendToAgent(tasks, parts.taskId, { type: 'agent.quit' });
  const why = [...objections, ...(stopsHere === undefined ? [] : [stopsHere])];
  if (why.length > 0) throw new TeamRefusedError(why.join(' '));
}
