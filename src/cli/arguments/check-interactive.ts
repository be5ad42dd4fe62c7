import { UsageError } from '../../api/errors.js';
import { nearestName } from '../../api/text.js';
import type { FlagName } from './flags.js';
import type { CommandLine } from './command-line.js';
import { COMMAND_NAMES } from '../commands.js';

/** Flags of runs without a person. */
const HEADLESS_FLAGS = [
  '--output-format',
  '--input-format',
  '--include-partial-messages',
  '--replay-user-messages',
  '--forward-subagent-text',
  '--json-schema',
  '--permission-prompt-tool',
] as const satisfies readonly FlagName[];

/** What makes no sense in a session on a terminal. @throws UsageError */
export function checkInteractive({ given, words }: CommandLine): void {
  const flag = HEADLESS_FLAGS.find((name) => given.has(name));
  if (flag !== undefined)
    throw new UsageError(`${flag} needs -p: without it a session talks to a person at a terminal.`);
  const [word = ''] = words;
  const command = meantCommand(word);
  if (command !== undefined)
    throw new UsageError(
      `There is no command "${word}". Did you mean troupe ${command}? To say this word to a model: troupe -p "${word}".`,
    );
}

/** The command that was probably meant by a word that is none. */
export function meantCommand(word: string): string | undefined {
  return nearestName(word, COMMAND_NAMES, word.length > 4 ? 2 : 1);
}
