import type { AgentId } from '../../core/ids.js';
import { frame } from '../../core/frame.js';
import { textBlock } from '../../core/messages.js';
import type { AgentRuntime } from '../agent/agent-runtime.js';
import { deliver } from '../deliver.js';
import type { InspectedActor } from '../public-types.js';
import type { SessionRuntime } from '../session-types.js';
import { nameOf } from './membership.js';
import { isAtWork } from './recipients.js';

/** So many are shown; the journal has all. */
const MOST_SHOWN = 50;

/** Its agent goes on, and takes them. */
export function reviveLetters({ deadLetters }: SessionRuntime, recipient: AgentId): void {
  for (const { id, to } of deadLetters.values()) if (to === recipient) deadLetters.delete(id);
}

export function inspectDeadLetters({ deadLetters }: SessionRuntime): readonly InspectedActor[] {
  return [...deadLetters.values()].map(({ id, name, to, at }) => ({
    id,
    kind: 'deadLetter',
    label: `for ${name}`,
    state: 'dead',
    since: at,
    waitingFor: [`the resume of ${to}`],
    children: [],
  }));
}

/**
 * An agent has ended with messages that it has not taken: those who sent them are told, where they are still there. The
 * messages stay in its journal, and come first where it is resumed.
 */
export function tellOfDeadLetters(session: SessionRuntime, { parts }: AgentRuntime): void {
  const left = parts.inbox.take().filter(({ kind }) => kind === 'message');
  const { deadLetters } = session;
  for (const letter of left) {
    const { id, seq, kind, from, at } = letter;
    const [oldest] = deadLetters.keys();
    if (oldest !== undefined && deadLetters.size >= MOST_SHOWN) deadLetters.delete(oldest);
    deadLetters.set(id, {
      id,
      seq,
      kind,
      from,
      at,
      to: parts.id,
      state: 'dead',
      name: nameOf(parts),
    });
    session.bus.emit('mail.dead', parts.id, letter);
  }
  for (const from of new Set(left.map((letter) => letter.from))) {
    const letters = left.filter((letter) => letter.from === from);
    const sender = session.agents.get(from as AgentId); // `user`, and who has ended, find nobody
    if (sender === undefined || !isAtWork(session, sender)) continue;
    const numbers = letters.map(({ seq }) => seq).join(', ');
    const text = frame(
      'undelivered',
      { to: nameOf(parts), seq: numbers },
      `${nameOf(parts)} has ended without having read ${letters.length === 1 ? 'your message' : `${letters.length} messages of yours`}. Nothing of it was done; resume it (Agent, resume) and it reads them first.`,
    );
    deliver(session, sender, 'notification', parts.id, [textBlock(text)]).catch(() => {}); // the journal says so itself
  }
}
