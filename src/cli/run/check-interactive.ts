import { UsageError } from '../../api/errors.js';
import { nearestName } from '../../api/text.js';
import type { FlagName } from '../arguments/flags.js';
import type { CommandLine } from '../arguments/command-line.js';
import { COMMAND_NAMES } from '../command-table/commands.js';
import { insteadOf } from '../arguments/other-commands.js';

/** Flags of runs without a person. */
const HEADLESS_FLAGS = [
  '--output-format',
  '--input-format',
  '--include-partial-messages',
  '--include-hook-events',
  '--replay-user-messages',
  '--forward-subagent-text',
  '--json-schema',
  '--permission-prompt-tool',
  '--wait-for-approval',
] as const satisfies readonly FlagName[];

/** Refuse flags and words that a session at a terminal does not take. @throws UsageError */
export function checkInteractive({ given, words }: CommandLine): void {
  const flag = HEADLESS_FLAGS.find((name) => given.has(name));
  if (flag !== undefined)
    throw new UsageError(`${flag} needs -p: without -p a session is for a person at a terminal.`);
  if (given.has('--continue') || given.has('--resume')) return; // one word may be a prompt in a conversation
  const [word = ''] = words;
  if (/^\S+\.(?:ya?ml|json)$/.test(word))
    throw new UsageError(
      `"${word}" names a file, not a prompt. For a team: troupe team run ${word}. For a script of a scripted model: troupe -p PROMPT --model scripted:${word}.`,
    );
  const hint = hintOfCommand(words);
  if (hint !== undefined)
    throw new UsageError(
      `There is no command "${word}". ${hint} To send this word to a model: troupe -p "${word}".`,
    );
}

/** Return a hint for words that name no command: a similar command, or the equivalent of another tool's command. */
export function hintOfCommand([word = '', ...rest]: readonly string[]): string | undefined {
  const instead = insteadOf([word, ...rest]);
  if (instead !== undefined) return instead;
  const near = nearestName(word, COMMAND_NAMES, word.length > 4 ? 2 : 1);
  return near === undefined ? undefined : `Did you mean troupe ${[near, ...rest].join(' ')}?`;
}
