import { UsageError } from '../../api/errors.js';
import { nearestName } from '../../api/text.js';
import { findFlag, RUN_FLAGS } from '../arguments/flags.js';
import { insteadOf } from '../arguments/other-commands.js';
import { COMMAND_NAMES, isCommandName, type CommandName } from '../command-table/commands.js';
import { commandHelpText, flagHelpsOf, helpText } from '../command-table/help-text.js';
import { openStdout } from '../output/output-writer.js';

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
  throw new UsageError(`There is no command "${name}". ${hintOf(name)}`);
}

function hintOf(name: string): string {
  const near = nearestName(name, [...COMMAND_NAMES, 'help']);
  if (near === undefined) return `The commands are ${COMMAND_NAMES.join(', ')}.`;
  return `Did you mean troupe help${near === 'help' ? '' : ` ${near}`}?`;
}

/** @throws UsageError for `troupe help FLAG`: flags have no separate help */
export function refuseHelpOfFlag([word, flag = '']: readonly string[]): void {
  const name = word === 'help' ? findFlag(flag) : undefined;
  if (name === undefined || name === '--help' || name === '--version') return;
  const command = RUN_FLAGS.includes(name)
    ? undefined
    : COMMAND_NAMES.find((one) => flagHelpsOf(one).some(([known]) => known === name));
  const where = command === undefined ? 'troupe --help' : `troupe help ${command}`;
  throw new UsageError(`help takes a command, not a flag: ${where} explains ${flag}.`);
}

/** Print the help of one command, or of all commands. @returns the exit code */
export async function printHelp(name: CommandName | undefined): Promise<number> {
  const out = openStdout();
  const width = Math.max(out.columns ?? 100, 40);
  await out.text((name === undefined ? helpText(width) : commandHelpText(name, width)).trimEnd());
  return 0;
}
