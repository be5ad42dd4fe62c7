import type { ProgramCommand } from '../../core/commands/command.js';
import { UsageError } from '../../core/errors.js';

/**
 * The commands of a program for sessions without a person. A command that needs one is in no list, and refuses each use.
 */
export function withoutPerson(commands: readonly ProgramCommand[]): readonly ProgramCommand[] {
  return commands.map((command) => {
    const refuse = (): Promise<never> =>
      Promise.reject(
        new UsageError(
          `The command /${command.name} needs a person, and here nobody can answer. Use it in a session of createOrchestrator.`,
        ),
      );
    if (command.type === 'local')
      return command.supportsNonInteractive === false
        ? { ...command, isHidden: true, immediate: true, load: refuse }
        : command;
    return command.disableNonInteractive === true
      ? { ...command, isHidden: true, disableModelInvocation: true, getPromptForCommand: refuse }
      : command;
  });
}
