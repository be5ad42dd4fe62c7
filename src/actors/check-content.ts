import { UsageError } from '../core/errors.js';
import { UserContent } from './user-message.js';

/**
 * Looked at before a message is accepted: a conversation that has what the API does not take is refused for ever, and one
 * to which nothing is said is done at once. A program may give anything.
 *
 * @throws UsageError
 */
export function checkContent(content: unknown): void {
  const [issue] = UserContent.safeParse(content).error?.issues ?? [];
  if (issue !== undefined) throw new UsageError(`The message cannot be used: ${issue.message}.`);
}
