import type { Message, Part } from '@a2a-js/sdk';
import { UsageError } from '../../../core/errors.js';
import type { PermissionRequest } from '../../../core/events.js';
import { describeRefusal, quotedField, withFullStop } from '../../../core/text/describe-issue.js';
import { DecideInput, questionsOf, type Decision } from '../to-answer.js';
import { SpawnRequest } from '../serve-types.js';

const Choices = SpawnRequest.omit({ prompt: true, below: true });

/** How a client answers a request, for the messages that ask it. */
export const HOW_TO_DECIDE =
  'Answer "allow", or "deny: WHY"; a question with your words; or send a data part: {"requestId", "decision": "allow" or "deny", "message", "answers"}.';

/** Read a message as the prompt of an agent. @throws UsageError for a part that no agent can read */
export function readText({ parts }: Message): string {
  const text = parts.map(textOf).join('\n\n');
  if (text.trim() === '') throw new UsageError('The message has no text.');
  return text;
}

function textOf({ content }: Part): string {
  if (content?.$case === 'text') return content.value;
  if (content?.$case === 'data') return JSON.stringify(content.value);
  throw new UsageError('Only text and data can be read: send parts of these kinds.');
}

/** Read the choices for a new agent, `metadata.troupe` of its message. @throws UsageError */
export function readChoices({ metadata }: Message): Omit<SpawnRequest, 'prompt' | 'below'> {
  const given: unknown = metadata?.['troupe'] ?? {};
  const { data, error } = Choices.safeParse(given);
  if (error === undefined) return data;
  const why = describeRefusal(error, given, quotedField('metadata.troupe', ['metadata', 'troupe']));
  throw new UsageError(withFullStop(why));
}

/**
 * Read a message as a decision on one of the pending requests. A message that is not clearly one decides nothing.
 *
 * @throws UsageError that says how to decide
 */
export function readDecision(
  message: Message,
  pending: readonly PermissionRequest[],
): { readonly request: PermissionRequest; readonly decision: Decision } {
  const [first] = pending;
  const data = message.parts.find(({ content }) => content?.$case === 'data')?.content?.value;
  if (data !== undefined) return readData(data, pending);
  if (first === undefined || pending.length > 1)
    throw new UsageError(`Several requests wait: name one. ${HOW_TO_DECIDE}`);
  const text = readText(message).trim();
  const [, why] = /^deny(?:\s*:\s*(.+)|\s*)$/is.exec(text) ?? [];
  if (why !== undefined) return { request: first, decision: { decision: 'deny', message: why } };
  if (/^deny$/i.test(text)) return { request: first, decision: { decision: 'deny' } };
  const [question, more] = questionsOf(first);
  if (first.kind === 'question' && question !== undefined && more === undefined)
    return {
      request: first,
      decision: { decision: 'allow', answers: { [question.question]: text } },
    };
  if (first.kind !== 'question' && /^allow$/i.test(text))
    return { request: first, decision: { decision: 'allow' } };
  throw new UsageError(`This is not a decision. ${HOW_TO_DECIDE}`);
}

function readData(data: unknown, pending: readonly PermissionRequest[]) {
  const { data: read, error } = DecideInput.safeParse(data);
  if (error !== undefined) {
    const why = describeRefusal(error, data, quotedField('the data'));
    throw new UsageError(`${withFullStop(why)} ${HOW_TO_DECIDE}`);
  }
  const { requestId, ...decision } = read;
  const request = pending.find((one) => one.requestId === requestId);
  if (request !== undefined) return { request, decision };
  throw new UsageError(
    `No request with the ID "${requestId}" waits. Those that wait: ${pending.map((one) => one.requestId).join(', ')}.`,
  );
}
