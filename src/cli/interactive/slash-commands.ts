import { UsageError } from '../../api/errors.js';
import {
  describeCommand,
  findOwn,
  isListed,
  isStronger,
  LOCAL_COMMANDS,
  readCommand,
} from '../../api/sessions/prompts.js';
import { oneLine } from '../../api/text.js';
import type { Command, CommandBase, DrawnCommand, Skill } from '../../api/types.js';
import type { Candidate } from '../terminal/editor/popup.js';
import { DRAWN_COMMANDS, TERMINAL_COMMANDS, type CommandFields } from './terminal-command-table.js';

/** All commands of a session at a terminal but skills and prompts. */
const SLASH_COMMANDS = { ...TERMINAL_COMMANDS, ...LOCAL_COMMANDS, ...TERMINAL_COMMANDS }; // in this order

/** A question for help. */
const ASKS_FOR_HELP = /^\s*\/?\?\s*$/;

export type SlashCommand = { readonly name: keyof typeof SLASH_COMMANDS; readonly rest: string };

const NAMES = Object.keys(SLASH_COMMANDS) as SlashCommand['name'][]; // the object's own keys
const FIELDS: Readonly<Record<SlashCommand['name'], CommandFields>> = SLASH_COMMANDS;

/** A command of a program or of `--commands`, and the words behind its name. */
type AddedCommand = {
  readonly command: DrawnCommand | Extract<Command, { type: 'local' }>;
  readonly rest: string;
};

/** Find the command of a line that is not one of Troupe's; undefined for another line. */
export function findAdded(
  line: string,
  commands: readonly (Command | DrawnCommand)[],
): AddedCommand | undefined {
  const [, word = '', rest = ''] = /^\s*\/([\p{L}\p{N}_.:-]+)(?:\s+([\s\S]*))?$/u.exec(line) ?? [];
  const added = commands.filter(
    (one): one is AddedCommand['command'] =>
      one.type !== 'prompt' && !Object.hasOwn(SLASH_COMMANDS, one.name),
  );
  const command = findOwn(added, word);
  return command && { command, rest: rest.trim() };
}

function isCalled(name: SlashCommand['name'], word: string | undefined): boolean {
  return name === word || FIELDS[name].aliases?.some((alias) => alias === word) === true;
}

/**
 * Read a line that begins with a slash and a word. A path with more slashes is not a command.
 *
 * @param skills of the session; none if it takes no commands of files
 * @returns undefined for a prompt, and for the command of a skill
 * @throws UsageError for an unknown command, or words for a command that takes none
 */
export function parseSlashCommand(
  line: string,
  skills: readonly Skill[] = [],
): SlashCommand | undefined {
  if (ASKS_FOR_HELP.test(line)) return { name: 'help', rest: '' };
  const [, word, rest = ''] = /^\s*\/([\w-]*)(?:\s+([\s\S]*))?$/.exec(line) ?? [];
  const name = NAMES.find((one) => isCalled(one, word));
  const own = skills.find((skill) => skill.name === word);
  if (name === undefined || (name !== 'exit' && isStronger(own))) {
    readCommand(line, skills, { others: NAMES }); // throws for an unknown command
    return undefined;
  }
  const { argumentHint } = FIELDS[name];
  if (argumentHint === undefined && rest.trim() !== '')
    throw new UsageError(`/${name} takes no words.`);
  return { name, rest: rest.trim() };
}

/** Whether a list has a command of the session. Those of the terminal replace some. */
export const isShown = (command: CommandBase): boolean =>
  isListed(command) && !Object.hasOwn(TERMINAL_COMMANDS, command.name);

/** All commands that a person may type, with their descriptions. @param commands of the session */
export function slashCandidates(
  commands: readonly (Command | DrawnCommand)[],
): readonly Candidate[] {
  return [...DRAWN_COMMANDS, ...commands.filter(isShown)].map((command) => ({
    value: command.name,
    hint: oneLine(`${command.argumentHint ?? ''} ${describeCommand(command)}`, MOST_CHARS),
  }));
}

const MOST_CHARS = 200;
