import type { Envelope, TeammateIdle } from '../../core/events.js';
import { frame } from '../../core/text/frame.js';
import { textBlock } from '../../core/messages.js';
import { firstChars } from '../../core/text/first-chars.js';
import type { MailSender } from '../mail/mailroom.js';
import { nameOf, teamOf, type TeamOwners } from './membership.js';

/** Most characters of a teammate's last text in the notice to its lead. */
const MOST_CHARACTERS = 1_000;

/** The message to a lead about an idle teammate: its name and the outcome of its turn. */
export function idleNotice(
  { agents, teams, mail }: TeamOwners & { readonly mail: MailSender },
  { id, turnOutcome }: TeammateIdle,
): Envelope {
  const agentId = agents.ofTask(id);
  const agent = agentId === undefined ? undefined : agents.live.get(agentId);
  const name = agent === undefined ? id : nameOf(agent.parts);
  const team = agentId === undefined ? undefined : teamOf(teams, agentId)?.name;
  const said =
    turnOutcome.status === 'failed'
      ? `Its turn failed: ${turnOutcome.failure.message}`
      : shorten(
          typeof turnOutcome.result === 'string'
            ? turnOutcome.result
            : JSON.stringify(turnOutcome.result),
        );
  const text = frame(
    'teammate-idle',
    { name, team, 'task-id': id },
    said === '' ? '(It said nothing.)' : said,
  );
  return mail.envelope('notification', agentId ?? id, [textBlock(text)]);
}

function shorten(text: string): string {
  return text.length <= MOST_CHARACTERS
    ? text
    : `${firstChars(text, MOST_CHARACTERS)} … (${text.length - MOST_CHARACTERS} characters more)`;
}
