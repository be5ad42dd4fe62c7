import { describeRefusal, formatPath, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import { UserContent } from './user-message.js';

/**
 * Check a message before it is accepted: the API would reject each later request of a conversation with an invalid
 * message, and an agent without a message ends at once. The value comes from a program, so it may be anything.
 *
 * @throws UsageError
 */
export function checkContent(content: unknown): void {
  const { error } = UserContent.safeParse(content);
  if (error === undefined) return;
  const nameOf = (path: readonly PropertyKey[]): string => formatPath(['content', ...path]);
  const why = describeRefusal(error, content, nameOf);
  throw new UsageError(`The message cannot be used: ${withFullStop(why)}`);
}
