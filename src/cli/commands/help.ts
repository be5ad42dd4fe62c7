import { UsageError } from '../../api/errors.js';
import { nearestName } from '../../api/text.js';
import { insteadOf } from '../arguments/other-commands.js';
import { COMMAND_NAMES, isCommandName, type CommandName } from '../commands.js';
import { commandHelpText, helpText } from '../help-text.js';
import { openStdout } from '../output-writer.js';

/**
 * `troupe help COMMAND`.
 *
 * @returns the exit code
 * @throws UsageError for a command that does not exist
 */
export function help(words: readonly string[]): Promise<number> {
  const [name, more] = words;
  const instead = insteadOf(words);
  if (instead !== undefined)
    throw new UsageError(`There is no command "${words.join(' ')}". ${instead}`);
  if (more !== undefined)
    throw new UsageError(`help takes no "${more}". Run: troupe help ${String(name)}`);
  if (name === undefined || isCommandName(name)) return printHelp(name);
  const near = nearestName(name, COMMAND_NAMES);
  throw new UsageError(
    `There is no command "${name}". ${near === undefined ? `The commands are ${COMMAND_NAMES.join(', ')}.` : `Did you mean troupe help ${near}?`}`,
  );
}

/** The help of one command, or of all of them. @returns the exit code */
export async function printHelp(name: CommandName | undefined): Promise<number> {
  const out = openStdout();
  const width = Math.max(out.columns ?? 100, 40);
  await out.text((name === undefined ? helpText(width) : commandHelpText(name, width)).trimEnd());
  return 0;
}
