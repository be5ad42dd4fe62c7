import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import { UnknownRecipientError } from '../../core/errors.js';
import { toAgentId, toTaskId, type AgentId } from '../../core/ids.js';
import type { Recipient } from '../mail/mailroom.js';
import { isAtWork } from '../tasks/task-activity.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import { leadOf, liveMembers, teamOf, teamsLedBy, type TeamOwners } from './membership.js';

/** The sources for a search of recipients. */
export type RecipientOwners = TeamOwners & { readonly tasks: TaskRegistry };

/** Everybody of the sender's teams. */
export const EVERYBODY = '*';

export type Recipients = readonly [Recipient, ...Recipient[]];

/**
 * Find the recipients of a message: a name, a task ID or an agent ID; `parent` is the sender's parent, `lead` the lead
 * of its team, `*` every other member of its teams.
 *
 * @throws UnknownRecipientError with the names of live agents
 */
export function findRecipients(
  owners: RecipientOwners,
  to: string,
  sender: AgentIdentity,
): Recipients {
  const { agents, tasks } = owners;
  if (to !== EVERYBODY) return [findRecipient(owners, to, sender)];
  const own = teamOf(owners.teams, sender.id);
  const teams = [...(own === undefined ? [] : [own]), ...teamsLedBy(owners, sender)];
  if (teams.length === 0)
    throw new UnknownRecipientError(to, 'you are in no team: name whom you mean');
  const ids = new Set<AgentId>();
  for (const team of teams) {
    const lead = leadOf(agents, team);
    for (const { id } of [...(lead === undefined ? [] : [lead]), ...liveMembers(agents, team)])
      ids.add(id);
  }
  ids.delete(sender.id);
  const all = [...ids].flatMap((id) => {
    const agent = agents.live.get(id);
    return agent !== undefined && isAtWork(tasks, agent.parts.taskId) ? [agent.parts] : [];
  });
  const [first, ...others] = all;
  if (first === undefined) throw new UnknownRecipientError(to, 'nobody else is in your team');
  return [first, ...others];
}

function findRecipient(owners: RecipientOwners, to: string, sender: AgentIdentity): Recipient {
  const { tasks, agents } = owners;
  const live = (): string =>
    [...agents.live.values()].map(({ parts }) => parts.name ?? parts.taskId).join(', ') || 'nobody';
  const id = idOf(owners, to, sender);
  const recipient = id === undefined ? undefined : agents.live.get(id)?.parts;
  if (recipient !== undefined && isAtWork(tasks, recipient.taskId)) {
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

function idOf(
  { agents, teams }: TeamOwners,
  to: string,
  sender: AgentIdentity,
): AgentId | undefined {
  if (to === 'parent') return sender.parentAgentId;
  if (to === 'lead') {
    const team = teamOf(teams, sender.id);
    if (team === undefined)
      throw new UnknownRecipientError(to, 'you are in no team: name whom you mean, or "parent"');
    return leadOf(agents, team)?.id;
  }
  const byTask = toTaskId(to);
  return (
    agents.names.find(to) ?? toAgentId(to) ?? (byTask === null ? undefined : agents.ofTask(byTask))
  );
}
