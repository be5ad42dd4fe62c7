import { monitorText } from '../../context/monitor-text.js';
import type { TaskInput } from '../../core/events.js';
import { textBlock } from '../../core/messages.js';
import type { AgentDirectory } from '../agents/agent-directory.js';
import type { MailSender } from '../mail/mailroom.js';
import type { Alarm, Stopwatch } from '../services/timers.js';
import { createLineNotices, type LineNotices } from '../tasks/line-notices.js';
import type { TaskLookup } from '../tasks/task-registry.js';

/** The way from a monitored command to the agent that started it. */
export type MonitorOwners = {
  readonly agents: Pick<AgentDirectory, 'live' | 'ofTask'>;
  readonly mail: MailSender;
  readonly tasks: Pick<TaskLookup, 'find'>;
  readonly shared: { readonly timers: Alarm & Stopwatch };
};

/** Send each line of a command to the agent that started it, as notifications that wake the agent. */
export function monitorLines(
  { agents, mail, tasks, shared }: MonitorOwners,
  { id, parentId, description }: TaskInput,
): LineNotices {
  const agentId = parentId && agents.ofTask(parentId);
  return createLineNotices(shared.timers, (notice) => {
    const agent = agentId && agents.live.get(agentId);
    if (agent === undefined) return; // it has ended, and reads nothing any more
    const outputFile = tasks.find(id)?.outputFile ?? '';
    const text = monitorText(notice, { id, description, outputFile });
    const envelope = mail.envelope('notification', id, [textBlock(text)]);
    mail.deliver(agent.parts, envelope).catch(() => {}); // a journal that cannot be written ends the session by itself
  });
}
