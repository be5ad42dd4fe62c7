import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import type { SessionHandle } from '../../actors/contract/handles.js';
import { sendPrompt } from '../../actors/contract/send-prompt.js';
import { UserMessageInput } from '../../actors/contract/user-message.js';
import type { SDKUserMessage } from './query-types.js';

const ENDED: unique symbol = Symbol('ended');

/**
 * Sends prompts as they come. Resolves when all have been sent, or the session has ended: then no more are asked for.
 *
 * @throws UsageError for what is no user message, and whatever the prompts throw
 */
export async function feedPrompts(
  prompts: AsyncIterable<SDKUserMessage>,
  session: Pick<SessionHandle, 'compact' | 'outcome' | 'prompt'>,
): Promise<void> {
  const iterator = prompts[Symbol.asyncIterator]();
  const ended = session.outcome.then((): typeof ENDED => ENDED);
  let taken = 0;
  let sent: Promise<void> = Promise.resolve();
  for (;;) {
    const next = await Promise.race([iterator.next(), ended]);
    if (next === ENDED) {
      // It may wait for something that never comes: told that it is over, and not waited for.
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
        `query: message ${taken} of the prompts cannot be used: ${withFullStop(why)} Each is { type: "user", message: { role: "user", content: "…" } }.`,
      );
    }
    // Not waited for here: who sends one may wait for its answer before it makes the next one.
    const { message, uuid } = parsed.data;
    sent = sendPrompt(session, message.content, uuid ?? undefined);
    sent.catch(() => undefined); // told above
  }
}
