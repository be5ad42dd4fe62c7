import { UsageError } from '../../api/errors.js';
import { commandNames, readCommand } from '../../api/prompts.js';
import type { Skill } from '../../api/types.js';
import { twoColumns } from '../two-columns.js';

/** Commands that a person may type instead of a prompt. */
export const SLASH_COMMANDS = {
  help: { usage: '', help: 'prints this' },
  exit: { usage: '', help: 'ends the session and this command' },
  clear: { usage: '', help: 'ends the session and begins a new one' },
  compact: {
    usage: '[INSTRUCTIONS]',
    help: 'replaces the conversation by a summary',
  },
  cost: { usage: '', help: 'the usage of the session' },
  memory: { usage: '', help: 'the instructions of the session, and when they count' },
  model: {
    usage: '[MODEL]',
    help: 'changes the model from the next request on; without a name to the first one',
  },
  status: { usage: '', help: 'the session, its model, its tasks and its journal' },
  tasks: { usage: '', help: 'the sub-agents and commands of the session' },
} as const satisfies Readonly<Record<string, { readonly usage: string; readonly help: string }>>;

export type SlashCommand = { readonly name: keyof typeof SLASH_COMMANDS; readonly rest: string };

const NAMES = Object.keys(SLASH_COMMANDS) as SlashCommand['name'][]; // the object's own keys

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
  const name = NAMES.find((one) => one === word);
  if (name === undefined) {
    readCommand(line, skills, NAMES); // throws for an unknown command
    return undefined;
  }
  const { usage } = SLASH_COMMANDS[name];
  if (usage === '' && rest.trim() !== '') throw new UsageError(`/${name} takes no words.`);
  return { name, rest: rest.trim() };
}

const COLUMN = 24;

/** The text of `/help` for a terminal of this width. */
export function slashHelp(width: number, skills: readonly Skill[] = []): string {
  const names = commandNames(skills).map((name) => `/${name}`);
  const lines = NAMES.map((name) => {
    const { usage, help } = SLASH_COMMANDS[name];
    return twoColumns(`/${name} ${usage}`.trimEnd(), help, { width, column: COLUMN });
  });
  return [
    ...lines,
    ...(names.length === 0 ? [] : ['', `Skills: ${names.join(', ')}`]),
    '',
    'Enter sends the line; after a backslash it begins another line.',
    'A prompt that you type during an answer is sent at once; the agent reads it at its next step.',
    'Ctrl-C interrupts the agent; if nothing runs, it clears the line.',
    'Ctrl-C twice within 2 s quits, unless the first one cleared a line. Ctrl-D on an empty line quits.',
    'Ctrl-B moves running commands and sub-agents to the background.',
  ].join('\n');
}
