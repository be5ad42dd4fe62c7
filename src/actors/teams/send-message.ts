import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import { UnknownRecipientError } from '../../core/errors.js';
import { frame, neutralise } from '../../core/text/frame.js';
import { createRequestId, type AgentId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import type { Team, TeamRequest } from '../../core/tasks/team.js';
import type { TypedMessage } from '../../tools/capabilities/typed-message.js';
import type { MailSender, Recipient } from '../mail/mailroom.js';
import { sendToAgent } from '../tasks/task-commands.js';
import { isLead, nameOf, type TeamOwners } from './membership.js';
import { EVERYBODY, findRecipients, type RecipientOwners, type Recipients } from './recipients.js';
import type { TeamStore } from './team-store.js';
import { TeamRefusedError } from './team-refused-error.js';

/** The recipients and the way to them. */
export type MessageOwners = RecipientOwners & { readonly mail: MailSender };

type Answer = Extract<TypedMessage, { approve: boolean }>;

/**
 * Send a text, or a typed message that asks or answers something. Resolves with the recipients when the message is on
 * stable storage for all of them.
 *
 * @throws UnknownRecipientError, TeamRefusedError nothing was sent
 */
export async function sendMessage(
  owners: MessageOwners,
  agentId: AgentId,
  to: string,
  message: string | TypedMessage,
  summary: string | undefined,
): Promise<readonly [AgentId, ...AgentId[]]> {
  const sender = owners.agents.live.get(agentId)?.parts;
  if (sender === undefined) throw new UnknownRecipientError(to, 'the sender has ended');
  const recipients = findRecipients(owners, to, sender);
  const text =
    typeof message === 'string'
      ? frame('message', { from: nameOf(sender), summary }, message)
      : typedText(owners, sender, to, recipients, message);
  await Promise.all(recipients.map((recipient) => send(owners.mail, recipient, agentId, text)));
  if (typeof message !== 'string' && message.type === 'shutdown_response' && message.approve)
    sendToAgent(owners.tasks, sender.taskId, { type: 'inbox.closed' });
  const [first, ...others] = recipients;
  return [first.id, ...others.map(({ id }) => id)];
}

/** Send a teammate's plan to its lead. @throws UnknownRecipientError, TeamRefusedError */
export async function submitPlan(
  owners: MessageOwners,
  sender: AgentIdentity,
  plan: string,
): Promise<string> {
  const [lead] = findRecipients(owners, 'lead', sender);
  const team = owners.teams.teams().find(({ members }) => members.has(sender.id));
  if (team === undefined) throw new TeamRefusedError('there is no lead who could approve a plan');
  for (const { id, kind, member } of team.requests)
    // a new plan replaces the previous one
    if (kind === 'plan' && member === sender.id) owners.teams.answer(team.name, id, false);
  const request = ask(owners.teams, team, 'plan', sender.id);
  const text = `${frame('plan-approval-request', { id: request, from: nameOf(sender) }, plan)}
Answer with SendMessage to "${neutralise(nameOf(sender))}": {"type": "plan_approval_response", "request_id": "${request}", "approve": true}, or false with feedback. Until then nothing but reading is allowed there; approval gives no permission that you do not have.`;
  await send(owners.mail, lead, sender.id, text);
  return request;
}

function send(mail: MailSender, recipient: Recipient, from: AgentId, text: string): Promise<void> {
  return mail.deliver(recipient, mail.envelope('message', from, [textBlock(text)]));
}

/** The text of a typed message, after its request or answer is on disk. */
function typedText(
  owners: MessageOwners,
  sender: AgentIdentity,
  to: string,
  [recipient, ...others]: Recipients,
  message: TypedMessage,
): string {
  if (to === EVERYBODY || others.length > 0)
    throw new TeamRefusedError(`a ${message.type} is for one: name whom you mean`);
  const from = nameOf(sender);
  if (message.type === 'shutdown_request') {
    const team = teamOfLead(owners, sender, recipient.id);
    if (team === undefined)
      throw new TeamRefusedError(
        `"${to}" is no teammate of yours: its lead asks it to end. TaskStop ends what you have started`,
      );
    const id = ask(owners.teams, team, 'shutdown', recipient.id);
    return `${frame('shutdown-request', { id, from }, message.reason ?? 'Your work is done.')}
Answer with SendMessage to "lead": {"type": "shutdown_response", "request_id": "${id}", "approve": true} and you end with this turn, or false with the reason why you continue.`;
  }
  const why = message.type === 'shutdown_response' ? message.reason : message.feedback;
  if (!message.approve && (why === undefined || why.trim() === ''))
    throw new TeamRefusedError('if you do not approve, say why');
  takeRequest(owners, sender, recipient, message);
  const tag = message.type === 'shutdown_response' ? 'shutdown-response' : 'plan-approval-response';
  return frame(
    tag,
    { request: message.request_id, from, approved: String(message.approve) },
    why ?? describeApproval(message),
  );
}

function describeApproval({ type }: Answer): string {
  return type === 'shutdown_response'
    ? 'It ends with its turn.'
    : 'Your plan is approved: carry it out. You may do what your own permissions allow.';
}

/** Each request has one answer, from its recipient to its sender. */
function takeRequest(
  owners: MessageOwners,
  sender: AgentIdentity,
  recipient: AgentIdentity,
  { type, request_id: id, approve }: Answer,
): void {
  const kind: TeamRequest['kind'] = type === 'shutdown_response' ? 'shutdown' : 'plan';
  const [lead, member] = kind === 'shutdown' ? [recipient, sender] : [sender, recipient];
  const team = teamOfLead(owners, lead, member.id);
  const request = team?.requests.find((one) => one.id === id);
  if (team === undefined || request?.kind !== kind || request.member !== member.id)
    throw new TeamRefusedError(
      `there is no open request "${id}" of this kind between you and ${nameOf(recipient)}: it was answered, or is another's`,
    );
  owners.teams.answer(team.name, id, approve);
}

function teamOfLead(
  { agents, teams }: TeamOwners,
  lead: AgentIdentity,
  member: AgentId,
): Team | undefined {
  return teams.teams().find((team) => team.members.has(member) && isLead(agents, team, lead));
}

function ask(teams: TeamStore, { name }: Team, kind: TeamRequest['kind'], member: AgentId): string {
  const id = createRequestId();
  teams.ask(name, { id, kind, member });
  return id;
}
