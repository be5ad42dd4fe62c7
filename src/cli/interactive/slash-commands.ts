import { UsageError } from '../../api/errors.js';
import { nearestName } from '../../api/text.js';
import { twoColumns } from '../two-columns.js';

/** What a person may type in place of a prompt. */
export const SLASH_COMMANDS = {
  help: { usage: '', help: 'prints this' },
  exit: { usage: '', help: 'ends the session and this command' },
  clear: { usage: '', help: 'ends the session and begins a new one' },
  compact: {
    usage: '[INSTRUCTIONS]',
    help: 'puts a summary in the place of what was said so far',
  },
  cost: { usage: '', help: 'what the session has used' },
  model: {
    usage: '[MODEL]',
    help: 'asks another model from the next request on; the first one again',
  },
  status: { usage: '', help: 'the session, its model, its tasks and its journal' },
  tasks: { usage: '', help: 'the sub-agents and commands of the session' },
} as const satisfies Readonly<Record<string, { readonly usage: string; readonly help: string }>>;

export type SlashCommand = { readonly name: keyof typeof SLASH_COMMANDS; readonly rest: string };

const NAMES = Object.keys(SLASH_COMMANDS) as SlashCommand['name'][]; // the object's own keys

/**
 * Reads a line that begins with a slash and a word. A path with more slashes is no command.
 *
 * @returns undefined for a prompt
 * @throws UsageError for a command that does not exist, or takes no words
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

/** What `/help` prints, for a terminal of this width. */
export function slashHelp(width: number): string {
  const lines = NAMES.map((name) => {
    const { usage, help } = SLASH_COMMANDS[name];
    return twoColumns(`/${name} ${usage}`.trimEnd(), help, { width, column: COLUMN });
  });
  return [
    ...lines,
    '',
    'Enter sends; a backslash before it begins another line.',
    'What is typed while an answer comes is sent at once and read at the next step.',
    'Ctrl-C interrupts the agent, or drops what is typed if nothing runs.',
    'Ctrl-C twice within 2 s quits, unless the first dropped something. Ctrl-D on an empty line quits.',
    'Ctrl-B sends what runs to the background.',
  ].join('\n');
}
