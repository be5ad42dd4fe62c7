import { describeRefusal, formatPath, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import { UserContent } from './user-message.js';

/**
 * Looked at before a message is accepted: a conversation that has what the API does not take is refused for ever, and one
 * to which nothing is said is done at once. A program may give anything.
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
