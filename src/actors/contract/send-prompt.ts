import { parseCompactCommand } from '../../context/compaction/compact-command.js';
import type { SessionHandle } from './handles.js';
import type { PromptContent } from './session-start.js';

/**
 * Hands on what a person has typed: a prompt, or `/compact`, which is none. Resolves when it is accepted; how a compaction
 * goes is told by the session's messages.
 */
export async function sendPrompt(
  session: Pick<SessionHandle, 'compact' | 'prompt'>,
  content: PromptContent,
  uuid?: string,
): Promise<void> {
  const command = parseCompactCommand(content);
  if (command === undefined) return session.prompt(content, uuid === undefined ? {} : { uuid });
  session.compact(command.instructions).catch(() => {}); // told by a status message, and as the result where it is idle
}
