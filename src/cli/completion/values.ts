import { flagOf, RUN_FLAGS, type FlagName } from '../arguments/flags.js';
import type { Offer as Words } from '../arguments/flag-table.js';
import { COMMAND_NAMES, commandOf, type CommandName } from '../command-table/commands.js';
import { flagHelpsOf } from '../command-table/help-text.js';

/** The completions of a shell for a value or a word. */
export type Offer = Words | 'nothing';

export type CompletedFlag = {
  /** Short names first. */
  readonly names: readonly string[];
  readonly help: string;
  readonly isList: boolean;
  /** Absent if the flag takes no value. */
  readonly value?: { readonly label: string; readonly offer: Offer };
};

export type CompletedCommand = {
  readonly name: string;
  readonly help: string;
  readonly flags: readonly CompletedFlag[];
  /** Completions of its words. */
  readonly words: Offer;
};

export const COMPLETED_RUN_FLAGS = RUN_FLAGS.map((name) => toFlag(name, flagOf(name).help));

export const COMPLETED_COMMANDS = COMMAND_NAMES.map((name): CompletedCommand => {
  const flags = [...flagHelpsOf(name), ['--help', flagOf('--help').help] as const];
  return {
    name,
    help: commandOf(name).summary,
    flags: flags.map(([flag, help]) => toFlag(flag, help)),
    words: wordsOf(name),
  };
});

/** The actions of a command, or the completions of its first word. */
function wordsOf(name: CommandName): Offer {
  const command = commandOf(name);
  if ('actions' in command) return Object.keys(command.actions);
  return command.words?.[0]?.offer ?? 'nothing';
}

function toFlag(name: FlagName, help: string): CompletedFlag {
  const { aliases = [], value: label, isList = false, offer = 'nothing' } = flagOf(name);
  const short = aliases.filter((alias) => !alias.startsWith('--'));
  return {
    names: [...short, name],
    help,
    isList,
    ...(label === undefined ? {} : { value: { label, offer } }),
  };
}
