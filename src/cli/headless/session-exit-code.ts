import type { ResultMessage, SessionHandle } from '../../api/types.js';

/**
 * The exit code of an ended session: 0 if its last result is not a failure and nothing has ended it afterwards.
 *
 * @param warn called with the reason if the session was ended after its last result
 */
export async function sessionExitCode(
  { outcome }: Pick<SessionHandle, 'outcome'>,
  result: Pick<ResultMessage, 'is_error'> | undefined,
  warn: (line: string) => void,
): Promise<0 | 1> {
  if (result === undefined) return 0; // there was no prompt
  if (result.is_error) return 1;
  const ended = await outcome;
  if (ended.status === 'killed') warn(ended.reason);
  return ended.status === 'completed' ? 0 : 1;
}
