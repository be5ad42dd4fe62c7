import { hasOpenTurn } from '../../api/sessions/open-turn.js';
import { findSession, newestSession } from '../../api/sessions/sessions.js';
import { userFolders } from '../../api/files/folders.js';
import type { World } from '../command.js';
import { noPrompt, promptIn, type PromptInput } from '../run/read-prompt.js';

/**
 * Read the prompt of a run that resumes a session, from stdin. None is needed if the last turn of the session has not
 * ended, for example since a hook deferred a tool call.
 *
 * @throws UsageError if there is neither a prompt nor an unfinished turn
 */
export async function readResumedPrompt(
  { resume }: { readonly resume: string | undefined },
  { env, cwd }: Pick<World, 'env' | 'cwd'>,
  stdin: PromptInput,
  warn: (line: string) => void,
): Promise<string | undefined> {
  const prompt = await promptIn('', stdin, warn);
  if (prompt !== '') return prompt;
  const home = userFolders(env).troupe;
  const session = resume === undefined ? newestSession(home, cwd) : findSession(home, resume);
  if (hasOpenTurn(session)) return undefined;
  throw noPrompt(` The last turn of the session ${session.id} has ended.`);
}
