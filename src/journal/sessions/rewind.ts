import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { Envelope } from '../../core/events.js';
import { AgentEntry, IDLE_STEP } from '../entries/agent-entries.js';
import { messageId } from '../entries/message-id.js';
import { parseStepKey, turnOfStep } from '../entries/step-key.js';
import { readWholeJournal } from '../read-journal.js';

/** The message that a conversation ends with. */
export type ConversationEnd = {
  /** ID of the session that the message is known from: IDs of messages are made of it. */
  readonly sessionId: string;
  /** ID of a message of `readMessages`. A reply is kept with the results of its tool calls. */
  readonly messageId: string;
};

/**
 * Copy the file of an agent up to a message of its conversation. The lines are linked again, and the agent is idle after
 * the last one.
 *
 * @throws UsageError if the conversation has no such message
 * @throws JournalDamagedError
 */
export function copyUpTo(from: string, to: string, end: ConversationEnd): void {
  const lines = readWholeJournal(from, Line);
  const kept = linesUpTo(lines, end);
  if (kept === undefined)
    throw new UsageError(
      `The session ${end.sessionId} has no message ${JSON.stringify(end.messageId)}. Give the uuid of one of getSessionMessages().`,
    );
  const linked = kept.map((line, at) => ({ ...line, parentUuid: kept[at - 1]?.uuid ?? null }));
  const text = linked.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(to, text, { mode: 0o600, flag: 'wx' });
}

/** A line of a journal as it is. */
const Line = z.looseObject({
  version: z.int(),
  uuid: z.string(),
  sessionId: z.string(),
  timestamp: z.number(),
  type: z.string(),
});
type Line = z.infer<typeof Line>;

const Taken = z.array(Envelope);

/** The lines up to the end of a message, without what was accepted for later; undefined if there is no such message. */
function linesUpTo(lines: readonly Line[], end: ConversationEnd): readonly Line[] | undefined {
  const entries = lines.map((line) => AgentEntry.parse(line));
  const found = findMessage(entries, end);
  const last = lines[found?.at ?? -1];
  if (found === undefined || last === undefined) return undefined;
  const { version, sessionId, timestamp } = last;
  const idle = {
    version,
    sessionId,
    timestamp,
    uuid: randomUUID(),
    type: 'step.done',
    key: IDLE_STEP,
  };
  const kept = lines.slice(0, found.at + 1);
  if (found.mail !== undefined) kept.splice(-1, 1, { ...last, result: found.mail });
  const begun = entries.slice(0, found.at);
  const taken = new Set([...begun.flatMap(mailOf), ...(found.mail ?? [])].map(({ id }) => id));
  return [
    ...kept.filter((_, at) => {
      const entry = entries[at];
      if (entry?.type === 'mail.accepted') return taken.has(entry.envelope.id);
      return entry?.type !== 'agent.skill' || entry.prompt === undefined || taken.has(entry.prompt);
    }),
    { ...idle, result: null },
  ];
}

/** The last entry to keep, and its messages if it took several. */
function findMessage(
  entries: readonly AgentEntry[],
  end: ConversationEnd,
): { readonly at: number; readonly mail?: readonly Envelope[] } | undefined {
  for (const [at, entry] of entries.entries()) {
    if (entry.type !== 'step.done') continue;
    const mail = mailOf(entry);
    const index = mail.findIndex(
      ({ uuid }, position) =>
        (uuid ?? messageId(end.sessionId, `${entry.key}/${position}`)) === end.messageId,
    );
    if (index !== -1) return { at, mail: mail.slice(0, index + 1) };
    if (messageId(end.sessionId, entry.key) !== end.messageId) continue;
    const turn = turnOf(entry);
    const later = entries.findIndex((one) => turnOf(one) > turn);
    return { at: (later === -1 ? entries.length : later) - 1 };
  }
  return undefined;
}

/** The turn of an entry; 0 if it belongs to none. */
function turnOf(entry: AgentEntry): number {
  const step = 'key' in entry ? parseStepKey(entry.key) : undefined;
  return step === undefined ? 0 : turnOfStep(step);
}

/** The messages that an agent takes by this entry; none by any other entry. */
function mailOf(entry: AgentEntry): readonly Envelope[] {
  if (entry.type !== 'step.done' || parseStepKey(entry.key)?.part !== 'inbox') return [];
  return Taken.parse(entry.result);
}
