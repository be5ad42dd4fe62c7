import { parseCompactCommand } from '../../context/compaction/compact-command.js';
import type { SessionHandle } from './handles.js';
import type { PromptContent } from './session-start.js';

/**
 * Send a line that a person has typed: a prompt, or the command `/compact`. Resolves when the line is accepted; the
 * session's messages report the outcome of a compaction.
 */
export async function sendPrompt(
  session: Pick<SessionHandle, 'compact' | 'prompt'>,
  content: PromptContent,
  uuid?: string,
): Promise<void> {
  const command = parseCompactCommand(content);
  if (command === undefined) return session.prompt(content, uuid === undefined ? {} : { uuid });
  session.compact(command.instructions).catch(() => {}); // a status message reports the outcome, and in an idle session a result too
}
