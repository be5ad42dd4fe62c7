import { UsageError, isTroupeError, messageOf } from '../api/errors.js';
import { readOwnPackage } from '../api/files/own-package.js';
import { parseCommandLine } from './arguments/command-line.js';
import { findCommand } from './command-table/find-command.js';
import { isCommandName } from './command-table/commands.js';
import { leaveWithTerminal } from './process/leave-with-terminal.js';
import { openStderr, openStdout } from './output/output-writer.js';

/** Codes of errors that a change of the command line, the settings or the machine removes. */
const USAGE_CODES = [
  'MODEL_AUTH_MISSING',
  'MODEL_PROVIDER_UNSUPPORTED',
  'JOURNAL_DAMAGED',
  'SANDBOX_UNAVAILABLE',
];

/** Run a command line, without the program's own name. Errors go to stderr. @returns the exit code */
export async function dispatch(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    const message = messageOf(error);
    await openStderr().line(`troupe: ${message}`);
    const isUsage =
      error instanceof UsageError || (isTroupeError(error) && USAGE_CODES.includes(error.code));
    if (!isUsage && process.env['TROUPE_DEBUG'] !== undefined && error instanceof Error)
      await openStderr().write(`${error.stack ?? ''}\n`);
    return isUsage ? 2 : 1;
  } finally {
    leaveWithTerminal();
  }
}

/**
 * Run the command that a command line names. Modules that it does not need are not loaded.
 *
 * @throws UsageError for a command line that cannot be used, before anything is done
 */
export async function run(args: readonly string[]): Promise<number> {
  if (args[0] === 'help') (await import('./commands/help.js')).refuseHelpOfFlag(args);
  const line = parseCommandLine(args);
  const [word, ...words] = line.given.has('--print') ? [] : line.words;
  if (line.given.has('--help') || (word === 'help' && !line.given.has('--version'))) {
    const { help, printHelp } = await import('./commands/help.js');
    if (word === 'help') return help(words);
    return printHelp(isCommandName(word) ? word : undefined);
  }
  if (line.given.has('--version')) {
    const { version } = readOwnPackage();
    await openStdout().write(`${version} (Troupe)\n`);
    return 0;
  }
  const found = findCommand(line);
  const cwd = workingFolder();
  const command = await found.action.load();
  return command.run(found.line, { cwd, env: process.env, isRoot: process.getuid?.() === 0 });
}

/** @throws UsageError if the working folder was deleted or is out of reach */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new UsageError(
      'The working folder does not exist any more. Change to an existing one: cd …',
      {},
      { cause: error },
    );
  }
}
