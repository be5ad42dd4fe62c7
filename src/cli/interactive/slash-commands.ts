import { UsageError } from '../../api/errors.js';
import {
  describeCommand,
  isStronger,
  LOCAL_COMMANDS,
  readCommand,
} from '../../api/sessions/prompts.js';
import { oneLine } from '../../api/text.js';
import type { Command, CommandBase, Skill } from '../../api/types.js';
import type { Candidate } from '../terminal/popup.js';

/** Commands that only a terminal has. */
export const TERMINAL_COMMANDS = {
  help: { description: 'prints this; ? does so too' },
  exit: { description: 'ends the session and this command', aliases: ['quit'] },
  clear: { description: 'ends the session and begins a new one', aliases: ['new', 'reset'] },
  resume: {
    argumentHint: '[ID]',
    description: 'ends the session and resumes another one, chosen from a list if no ID is given',
    aliases: ['continue'],
  },
  rewind: {
    argumentHint: '[NUMBER]',
    description: 'goes back to before an earlier prompt, with files or without',
    aliases: ['checkpoint'],
  },
  export: { argumentHint: '[FILE]', description: 'writes the log of the session to a file' },
  model: {
    argumentHint: '[MODEL]',
    description: 'changes the model from the next request on; without a name to the first one',
  },
  config: { description: 'the settings of this folder, and where they are' },
  dream: { description: 'consolidates the notes about the project in the background' },
  diff: { description: 'what has changed in the folder since the last commit' },
  doctor: { description: 'whether everything that a run needs is there' },
  status: { description: 'the session, its model, its tasks and its journal' },
  tasks: { description: 'the sub-agents and commands of the session', aliases: ['bashes'] },
} as const satisfies Readonly<Record<string, Fields>>;

type Fields = Omit<CommandBase, 'name'>;

/** All commands of a session at a terminal but skills and prompts. */
const SLASH_COMMANDS = { ...TERMINAL_COMMANDS, ...LOCAL_COMMANDS, ...TERMINAL_COMMANDS }; // in this order

/** The same as a list. */
export const DRAWN_COMMANDS = Object.entries(TERMINAL_COMMANDS).map(
  ([name, fields]): CommandBase => ({
    name,
    ...fields,
  }),
);

/** A question for help. */
const ASKS_FOR_HELP = /^\s*\/?\?\s*$/;

const AT_TERMINAL = 'start troupe without -p, and type it there';

/** Advice for commands that only a terminal has. */
const INSTEAD: { readonly [Name in keyof typeof TERMINAL_COMMANDS]?: string } = {
  clear: 'each run without --continue or --resume begins a new session',
  diff: AT_TERMINAL,
  exit: 'the run ends with its last prompt',
  resume: 'give --resume ID, or --continue',
  rewind: AT_TERMINAL,
};

/**
 * Describe the command of a line that only a terminal has.
 *
 * @returns its name, and what to do instead; undefined for another line
 */
export function findTerminalCommand(
  line: string,
): { readonly name: string; readonly instead: string } | undefined {
  const word = /^\/([\w-]+)(?:\s|$)/.exec(line)?.[1] ?? '';
  const name = DRAWN_COMMANDS.find(
    (one) => one.name === word || one.aliases?.includes(word) === true,
  )?.name as keyof typeof INSTEAD | undefined; // the object's own key
  const instead = name && INSTEAD[name];
  return name === undefined || instead === undefined ? undefined : { name, instead };
}

export type SlashCommand = { readonly name: keyof typeof SLASH_COMMANDS; readonly rest: string };

const NAMES = Object.keys(SLASH_COMMANDS) as SlashCommand['name'][]; // the object's own keys
const FIELDS: Readonly<Record<SlashCommand['name'], Fields>> = SLASH_COMMANDS;

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
export const isShown = ({ name, isHidden }: CommandBase): boolean =>
  isHidden !== true && !Object.hasOwn(TERMINAL_COMMANDS, name);

/** All commands that a person may type, with their descriptions. @param commands of the session */
export function slashCandidates(commands: readonly Command[]): readonly Candidate[] {
  return [...DRAWN_COMMANDS, ...commands.filter(isShown)].map((command) => ({
    value: command.name,
    hint: oneLine(`${command.argumentHint ?? ''} ${describeCommand(command)}`, MOST_CHARS),
  }));
}

const MOST_CHARS = 200;
