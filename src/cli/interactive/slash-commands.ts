import { UsageError } from '../../api/errors.js';
import { readCommand } from '../../api/prompts.js';
import { oneLine, printableLine } from '../../api/text.js';
import type { Command, McpPrompt, Skill } from '../../api/types.js';
import { twoColumns } from '../two-columns.js';

/** Commands of the terminal. */
export const SLASH_COMMANDS = {
  help: local({ description: 'prints this' }),
  exit: local({ description: 'ends the session and this command', aliases: ['quit'] }),
  clear: local({
    description: 'ends the session and begins a new one',
    aliases: ['new', 'reset'],
  }),
  resume: local({
    argumentHint: '[ID]',
    description: 'ends the session and resumes another one; without an ID it lists the newest',
    aliases: ['continue'],
  }),
  compact: local({
    argumentHint: '[INSTRUCTIONS]',
    description: 'replaces the conversation by a summary',
    supportsNonInteractive: true,
  }),
  init: local({ description: 'lets the agent write a CLAUDE.md for this folder' }),
  export: local({
    argumentHint: '[FILE]',
    description: 'writes the log of the session to a file',
  }),
  model: local({
    argumentHint: '[MODEL]',
    description: 'changes the model from the next request on; without a name to the first one',
  }),
  agents: describing('the agents that can be started'),
  config: local({ description: 'the settings of this folder, and where they are' }),
  context: describing('how much of the context window the conversation takes'),
  cost: { ...describing('the usage of the session'), aliases: ['usage'] },
  dream: local({ description: 'consolidates the notes about the project in the background' }),
  doctor: local({ description: 'whether everything that a run needs is there' }),
  hooks: describing('the hooks of the session'),
  mcp: describing('the MCP servers of the session'),
  memory: describing('the instructions of the session, and when they count'),
  permissions: {
    ...describing('the mode, rules and added folders of the session'),
    aliases: ['allowed-tools'],
  },
  plugins: { ...describing('the plugins of the session'), aliases: ['plugin'] },
  skills: describing('the skills and commands of files'),
  status: local({ description: 'the session, its model, its tasks and its journal' }),
  tasks: local({ description: 'the sub-agents and commands of the session', aliases: ['bashes'] }),
} as const satisfies Readonly<Record<string, LocalFields>>;

type LocalFields = Omit<Extract<Command, { type: 'local' }>, 'name'>;

function local(
  fields: Pick<LocalFields, 'description'> & Partial<Omit<LocalFields, 'type'>>,
): LocalFields {
  return { type: 'local', supportsNonInteractive: false, ...fields };
}

function describing(description: string): LocalFields {
  return local({ description, supportsNonInteractive: true });
}

export type SlashCommand = { readonly name: keyof typeof SLASH_COMMANDS; readonly rest: string };

const NAMES = Object.keys(SLASH_COMMANDS) as SlashCommand['name'][]; // the object's own keys
const FIELDS: Readonly<Record<SlashCommand['name'], LocalFields>> = SLASH_COMMANDS;

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
  const [, word, rest = ''] = /^\s*\/([\w-]*)(?:\s+([\s\S]*))?$/.exec(line) ?? [];
  const name = NAMES.find((one) => isCalled(one, word));
  if (name === undefined) {
    readCommand(line, skills, NAMES); // throws for an unknown command
    return undefined;
  }
  const { argumentHint } = FIELDS[name];
  if (argumentHint === undefined && rest.trim() !== '')
    throw new UsageError(`/${name} takes no words.`);
  return { name, rest: rest.trim() };
}

type ShownCommand = Pick<Command, 'name' | 'argumentHint' | 'description'>;

const COLUMN = 24;
const MOST_SKILLS = 20;
const MOST_CHARS = 200;

/** The text of `/help` for a terminal of this width. */
export function slashHelp(
  width: number,
  skills: readonly Skill[] = [],
  prompts: readonly McpPrompt[] = [],
): string {
  const own = NAMES.map((name): Command => ({ name, ...SLASH_COMMANDS[name] }));
  const typed = [...skills.filter(({ userInvocable }) => userInvocable), ...prompts];
  const shown: readonly ShownCommand[] = [...own, ...typed.slice(0, MOST_SKILLS)];
  const lines = shown.map(({ name, argumentHint = '', description }) =>
    twoColumns(
      printableLine(`/${name} ${argumentHint}`.trimEnd()),
      printableLine(oneLine(description, MOST_CHARS)),
      { width, column: COLUMN },
    ),
  );
  const more = typed.length - MOST_SKILLS;
  return [
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
    'Enter sends the line; after a backslash it begins another line.',
    'A prompt that you type during an answer is sent at once; the agent reads it at its next step.',
    'Ctrl-C interrupts the agent; if nothing runs, it clears the line.',
    'Ctrl-C twice within 2 s quits, unless the first one cleared a line. Ctrl-D on an empty line quits.',
    'Ctrl-B moves running commands and sub-agents to the background.',
  ].join('\n');
}
