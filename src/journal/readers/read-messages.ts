import { z } from 'zod';
import { Envelope } from '../../core/events.js';
import type { AgentEntry } from '../entries/agent-entries.js';
import { readSession, type FoundSession } from '../sessions/find-session.js';
import { messageId } from '../entries/message-id.js';
import { parseStepKey } from '../entries/step-key.js';

/** A message of a conversation that is on disk, in the form of the Messages API. */
export type RecordedMessage = {
  /** ID of the message: the same at each reading. */
  readonly uuid: string;
  readonly role: 'user' | 'assistant';
  readonly content: readonly unknown[];
  /** Kind of the message in the mailbox that a user message is; absent for results of tools. */
  readonly mail?: Envelope['kind'];
  /** The model that replied, if it is known. */
  readonly model?: string | undefined;
  /** When it was written, epoch ms. */
  readonly at: number;
};

const Block = z.lazy(() => z.looseObject({ type: z.string() }));
const Reply = z.lazy(() =>
  z.object({
    message: z.object({ content: z.array(Block) }),
    model: z.string().optional(),
  }),
);
const ToolUse = z.lazy(() => z.object({ type: z.literal('tool_use'), id: z.string() }));

/**
 * Read what was said to the main agent of a session and what it said, also before a compaction: prompts, replies, and each
 * result of a tool in the order of the calls.
 *
 * @throws JournalDamagedError
 */
export function readMessages(session: FoundSession): readonly RecordedMessage[] {
  const { id, entries } = readSession(session);
  return toMessages(id, entries);
}

/**
 * The messages of one agent from its lines.
 *
 * @param name beginning of the names that the IDs of messages are made of
 */
export function toMessages(
  name: string,
  entries: readonly AgentEntry[],
): readonly RecordedMessage[] {
  const messages: RecordedMessage[] = [];
  let uses: readonly string[] = [];
  const results = new Map<string, RecordedMessage>();
  const flush = (): void => {
    for (const use of uses) messages.push(...[results.get(use)].filter((one) => one !== undefined));
    results.clear();
    uses = [];
  };
  for (const entry of entries) {
    const step = readStep(entry);
    if (step === undefined) continue;
    const uuid = messageId(name, step.key);
    const { timestamp: at } = entry;
    if (step.part === 'model') {
      const { message, model } = Reply.parse(step.result);
      if (message.content.length > 0)
        messages.push({ uuid, role: 'assistant', content: message.content, model, at });
      uses = message.content.flatMap((block) => ToolUse.safeParse(block).data?.id ?? []);
    } else if (step.part === 'tool')
      results.set(step.id, { uuid, role: 'user', content: [step.result], at });
    else if (step.part === 'inbox') {
      flush();
      for (const [index, mail] of z.array(Envelope).parse(step.result).entries())
        if (mail.blocked === undefined)
          messages.push({
            uuid: mail.uuid ?? messageId(name, `${step.key}/${index}`),
            role: 'user',
            content: mail.content,
            mail: mail.kind,
            at,
          });
    }
  }
  flush();
  return messages;
}

function readStep(entry: AgentEntry) {
  if (entry.type !== 'step.done') return undefined;
  const step = parseStepKey(entry.key);
  return step && { ...step, key: entry.key, result: entry.result };
}
