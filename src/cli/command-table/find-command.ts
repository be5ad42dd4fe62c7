import { UsageError } from '../../api/errors.js';
import {
  actionsOf,
  commandOf,
  flagsOf,
  isCommandName,
  RUN,
  type Action,
  type CommandName,
} from './commands.js';
import type { CommandLine } from '../arguments/command-line.js';
import { insteadOf } from '../arguments/other-commands.js';
import { usageOf, usagesOf } from './usage.js';

export type FoundCommand = {
  readonly action: Action;
  /** The command line without the words that name the command. */
  readonly line: CommandLine;
};

/**
 * Find the command that a command line names; a run if it names none.
 *
 * @throws UsageError for words or flags that the command does not have
 */
export function findCommand(line: CommandLine): FoundCommand {
  const [name, ...words] = line.words;
  if (line.given.has('--print') || !isCommandName(name)) {
    const foreign = [...line.given].find((flag) => !RUN.flags.includes(flag));
    if (foreign !== undefined)
      throw new UsageError(`A run takes no ${foreign}. See troupe --help.`);
    return { action: RUN, line };
  }
  const [label, action, operands] = findAction(name, words);
  checkWords(label, action, operands);
  checkFlags(label, action, line);
  return { action, line: { ...line, words: operands } };
}

function findAction(
  name: CommandName,
  words: readonly string[],
): readonly [label: string, action: Action, operands: readonly string[]] {
  const command = commandOf(name);
  if (!('actions' in command)) return [name, command, words];
  const [word, ...operands] = words;
  const meant = (word !== undefined && command.aliases?.[word]) || word;
  const found = actionsOf(name).find(([label]) => label === `${name} ${meant}`);
  if (found !== undefined) return [...found, operands];
  const what = word === undefined ? 'needs one of' : `has no "${word}", only`;
  const known = Object.keys(command.actions).join(', ');
  throw new UsageError(`${name} ${what} ${known}. Usage: ${usagesOf(name).join(' | ')}`);
}

function checkWords(label: string, action: Action, operands: readonly string[]): void {
  const { words = [] } = action;
  const fail = (what: string): never => {
    throw new UsageError(`${label} ${what}. Usage: ${usageOf(label, action)}`);
  };
  const more = words.at(-1)?.isRest === true ? undefined : operands[words.length];
  const instead = insteadOf([label, ...operands]);
  if (more !== undefined && instead !== undefined)
    throw new UsageError(`There is no command "${label} ${more}". ${instead}`);
  if (more !== undefined) fail(`takes no "${more}"`);
  for (const [index, { name, isOptional = false, offer }] of words.entries()) {
    const word = operands[index];
    if (word === undefined && !isOptional) fail(`needs ${name}`);
    if (word?.trim() === '') fail(`got nothing for ${name}`);
    const isChoice = typeof offer === 'object';
    if (word !== undefined && isChoice && !offer.includes(word)) fail(`takes no "${word}"`);
  }
}

function checkFlags(label: string, action: Action, { given, ignored }: CommandLine): void {
  const known = flagsOf(action);
  const other = [...given].find((name) => !known.includes(name)) ?? ignored[0]?.flag;
  if (other === undefined) return;
  if (known.length === 0) throw new UsageError(`${label} takes no ${other}, and no other flag.`);
  const names = [known.slice(0, -1).join(', '), known.at(-1)].filter(Boolean).join(' and ');
  throw new UsageError(`${label} takes no ${other}, only ${names}.`);
}
