import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import type { SessionHandle } from '../../actors/contract/handles.js';
import { sendPrompt, type PromptedSession } from '../../actors/contract/send-prompt.js';
import { UserMessageInput } from '../../actors/contract/user-message.js';
import type { SDKUserMessage } from './query-types.js';

const ENDED: unique symbol = Symbol('ended');

/**
 * Send prompts as they come. Resolves when all have been sent, or the session has ended: then no more are read.
 *
 * @throws UsageError for something else than a user message, and all errors of the prompts
 */
export async function feedPrompts(
  prompts: AsyncIterable<SDKUserMessage>,
  session: PromptedSession & Pick<SessionHandle, 'outcome'>,
): Promise<void> {
  const iterator = prompts[Symbol.asyncIterator]();
  const ended = session.outcome.then((): typeof ENDED => ENDED);
  let taken = 0;
  let sent: Promise<void> = Promise.resolve();
  for (;;) {
    const next = await Promise.race([iterator.next(), ended]);
    if (next === ENDED) {
      // Not awaited: the iterator may wait for something that never comes.
      void Promise.resolve(iterator.return?.()).catch(() => undefined);
      return;
    }
    await sent;
    if (next.done === true) return;
    taken += 1;
    const parsed = UserMessageInput.safeParse(next.value);
    if (!parsed.success) {
      await iterator.return?.();
      const why = describeRefusal(parsed.error, next.value, quotedField('it'));
      throw new UsageError(
        `query: message ${taken} of the prompts is invalid: ${withFullStop(why)} Each is { type: "user", message: { role: "user", content: "…" } }.`,
      );
    }
    // Not awaited: the program may wait for the answer before it makes the next prompt.
    const { message, uuid } = parsed.data;
    sent = sendPrompt(session, message.content, uuid ?? undefined);
    sent.catch(() => undefined); // awaited above
  }
}
