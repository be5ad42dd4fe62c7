import type { DrawnCommand, ProgramCommand } from '../../core/commands/command.js';
import { UsageError } from '../../core/errors.js';

/**
 * The commands for sessions without a person. A command that needs one, or a terminal, is in no list, and refuses each use.
 */
export function withoutPerson(
  commands: readonly (DrawnCommand | ProgramCommand)[],
): readonly ProgramCommand[] {
  return commands.map((command): ProgramCommand => {
    const { name } = command;
    const refusing = (what: string) => (): Promise<never> =>
      Promise.reject(new UsageError(`The command /${name} needs ${what}`));
    const aPerson = refusing(
      'a person, and here nobody can answer. Use it at a terminal, or in a session of createOrchestrator.',
    );
    switch (command.type) {
      case 'local-jsx': {
        const load = refusing('a terminal: start troupe without -p, and type it there.');
        return { ...command, type: 'local', isHidden: true, immediate: true, load };
      }
      case 'local':
        if (command.supportsNonInteractive !== false) return command;
        return { ...command, isHidden: true, immediate: true, load: aPerson };
      case 'prompt':
        if (command.disableNonInteractive !== true) return command;
        return {
          ...command,
          isHidden: true,
          disableModelInvocation: true,
          getPromptForCommand: aPerson,
        };
      default:
        return command satisfies never;
    }
  });
}
