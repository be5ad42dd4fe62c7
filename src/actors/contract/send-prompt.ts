import { findLocalCommand } from './local-commands.js';
import { readCommand } from './read-command.js';
import type { SessionHandle } from './handles.js';
import type { PromptContent } from './session-start.js';

/** A session that takes lines of a person. */
export type PromptedSession = Pick<
  SessionHandle,
  'commands' | 'compact' | 'prompt' | 'runCommand' | 'skills' | 'useSkill'
>;

/**
 * Send a line that a person has typed: a prompt or a command. Resolves when the line is accepted; the session's messages report the outcome of a compaction.
 *
 * @throws UsageError for an unknown command, or if the skill cannot be used
 */
export async function sendPrompt(
  session: PromptedSession,
  content: PromptContent,
  uuid?: string,
): Promise<void> {
  const command = readCommand(content, session.skills(), {
    local: session
      .commands()
      .filter(({ type, name }) => type === 'local' && findLocalCommand(name) === undefined),
  });
  const options = uuid === undefined ? {} : { uuid };
  switch (command?.kind) {
    case undefined:
      return session.prompt(content, options);
    case 'skill':
      return session.useSkill(
        command.skills.map(({ name }) => name),
        command.args,
        options,
      );
    case 'mcp':
      return session.useSkill(command.name, command.args, options);
    case 'local':
      await session.runCommand(command.name, command.args);
      return;
    case 'compact':
      session.compact(command.instructions).catch(() => {}); // a status message reports the outcome, and in an idle session a result too
      return;
    default:
      return command satisfies never;
  }
}
