import type { ShellWord } from '../words/shell-token.js';
import { programOf } from '../words/wrappers.js';

/** The options of a program that take a message, and the commands that have them. */
type Messages = {
  readonly commands: RegExp;
  readonly alone: RegExp;
  readonly attached: RegExp;
};

const OF_GIT: Messages = {
  commands: /^(?:commit|tag|merge|stash|push|notes|ci)$/,
  alone: /^-[a-zA-Z]*m$|^--message$/,
  attached: /^--message=|^-a?m./,
};
const OF_HOSTS: Messages = {
  commands: /^(?:pr|mr|issue|release)$/,
  alone: /^-[bt]$|^--(?:body|title|notes|description)$/,
  attached: /^--(?:body|title|notes|description)=/,
};
const MESSAGES: ReadonlyMap<string, Messages> = new Map([
  ...['git', 'hg', 'svn', 'jj'].map((name) => [name, OF_GIT] as const),
  ...['gh', 'glab'].map((name) => [name, OF_HOSTS] as const),
]);

/** Most words between the program and its message. */
const MOST_WORDS_BEFORE = 16;

/** Whether a word is a message that a program keeps: it names no file. */
export function isMessage(words: readonly ShellWord[], index: number): boolean {
  const text = words[index]?.text ?? '';
  const option = index === 0 ? '' : (words[index - 1]?.text ?? '');
  if (!text.startsWith('-') && !option.startsWith('-')) return false;
  const from = Math.max(0, index - MOST_WORDS_BEFORE);
  const program = words.slice(from, index).findIndex((word) => MESSAGES.has(programOf(word)));
  const messages = MESSAGES.get(programOf(words[from + program]));
  return (
    messages !== undefined &&
    (messages.alone.test(option) || messages.attached.test(text)) &&
    words.slice(from + program + 1, index).some((word) => messages.commands.test(word.text))
  );
}
