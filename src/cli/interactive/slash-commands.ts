import { UsageError } from '../../api/errors.js';
import { nearestName } from '../../api/text.js';
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
 * @returns undefined for a prompt
 * @throws UsageError for an unknown command, or words for a command that takes none
 */
export function parseSlashCommand(line: string): SlashCommand | undefined {
  const [, word, rest = ''] = /^\s*\/([\w-]*)(?:\s+([\s\S]*))?$/.exec(line) ?? [];
  if (word === undefined) return undefined;
  const name = NAMES.find((one) => one === word);
  if (name === undefined) {
    const nearest = nearestName(word, NAMES);
    const hint = nearest === undefined ? 'See /help.' : `Did you mean /${nearest}?`;
    throw new UsageError(`There is no command /${word}. ${hint}`);
  }
  const { usage } = SLASH_COMMANDS[name];
  if (usage === '' && rest.trim() !== '') throw new UsageError(`/${name} takes no words.`);
  return { name, rest: rest.trim() };
}

const COLUMN = 24;

/** The text of `/help` for a terminal of this width. */
export function slashHelp(width: number): string {
  const lines = NAMES.map((name) => {
    const { usage, help } = SLASH_COMMANDS[name];
    return twoColumns(`/${name} ${usage}`.trimEnd(), help, { width, column: COLUMN });
  });
  return [
    ...lines,
    '',
    'Enter sends the line; after a backslash it begins another line.',
    'A prompt that you type during an answer is sent at once; the agent reads it at its next step.',
    'Ctrl-C interrupts the agent; if nothing runs, it clears the line.',
    'Ctrl-C twice within 2 s quits, unless the first one cleared a line. Ctrl-D on an empty line quits.',
    'Ctrl-B moves running commands and sub-agents to the background.',
  ].join('\n');
}
