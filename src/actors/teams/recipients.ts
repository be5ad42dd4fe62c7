import { UnknownRecipientError } from '../../core/errors.js';
import { toAgentId, toTaskId, type AgentId } from '../../core/ids.js';
import type { AgentParts } from '../agent/agent-parts.js';
import type { AgentRuntime } from '../agent/agent-runtime.js';
import type { SessionRuntime } from '../session-types.js';
import { isAtWork } from '../task-activity.js';
import { leadOf, liveMembers, teamOf, teamsLedBy } from './membership.js';

/** Everybody of the sender's teams. */
export const EVERYBODY = '*';

export type Recipients = readonly [AgentRuntime, ...AgentRuntime[]];

/**
 * Who a message is for: a name, a task id or an agent id; `parent` is whoever started the sender, `lead` the lead of its
 * team, `*` everybody of its teams but itself.
 *
 * @throws UnknownRecipientError names who is there
 */
export function findRecipients(
  session: SessionRuntime,
  to: string,
  sender: AgentParts,
): Recipients {
  if (to !== EVERYBODY) return [findRecipient(session, to, sender)];
  const own = teamOf(session, sender.id);
  const teams = [...(own === undefined ? [] : [own]), ...teamsLedBy(session, sender)];
  if (teams.length === 0)
    throw new UnknownRecipientError(to, 'you are in no team: name whom you mean');
  const ids = new Set<AgentId>();
  for (const team of teams) {
    const lead = leadOf(session, team);
    for (const { id } of [...(lead === undefined ? [] : [lead]), ...liveMembers(session, team)])
      ids.add(id);
  }
  ids.delete(sender.id);
  const all = [...ids].flatMap((id) => {
    const agent = session.agents.live.get(id);
    return agent !== undefined && isAtWork(session.tasks, agent.parts.taskId) ? [agent] : [];
  });
  const [first, ...others] = all;
  if (first === undefined) throw new UnknownRecipientError(to, 'nobody else is in your team');
  return [first, ...others];
}

function findRecipient(session: SessionRuntime, to: string, sender: AgentParts): AgentRuntime {
  const { tasks, agents } = session;
  const live = (): string =>
    [...agents.live.values()].map(({ parts }) => parts.name ?? parts.taskId).join(', ') || 'nobody';
  const id = idOf(session, to, sender);
  const recipient = id === undefined ? undefined : agents.live.get(id);
  if (recipient !== undefined && isAtWork(tasks, recipient.parts.taskId)) {
    if (id === sender.id)
      throw new UnknownRecipientError(to, `"${to}" is yourself. Running: ${live()}.`);
    return recipient;
  }
  const task = id === undefined ? undefined : tasks.find(agents.taskOf(id) ?? '');
  const why =
    task === undefined
      ? `there is no agent "${to}"`
      : recipient === undefined
        ? `"${to}" has ended (${task.status})`
        : `"${to}" is being ended`;
  throw new UnknownRecipientError(to, `${why}. Running: ${live()}.`);
}

function idOf(session: SessionRuntime, to: string, sender: AgentParts): AgentId | undefined {
  if (to === 'parent') return sender.parentAgentId;
  if (to === 'lead') {
    const team = teamOf(session, sender.id);
    if (team === undefined)
      throw new UnknownRecipientError(to, 'you are in no team: name whom you mean, or "parent"');
    return leadOf(session, team)?.id;
  }
  const byTask = toTaskId(to);
  return (
    session.agents.named(to) ??
    toAgentId(to) ??
    (byTask === null ? undefined : session.agents.ofTask(byTask))
  );
}
