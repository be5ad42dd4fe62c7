import type { FileArgument } from './file-arguments.js';
import { gitCommand } from './git-contents.js';
import { toWord } from './mentioned-files.js';
import type { ShellWord } from '../words/shell-token.js';
import { programOf } from '../words/wrappers.js';

const READS =
  /^--(?:get|list|show|name-only|type|default|includes|no-includes|bool|int|path|null|help)|^-[lz]$/;
const READING_COMMAND = /^(?:get|list|get-color|get-colorbool)$/;
const FILES: Readonly<Record<string, string>> = {
  '--global': '~/.gitconfig',
  '--system': '/etc/gitconfig',
};

/** Keys that name no program and no other place. Git compares them without regard to case. */
const HARMLESS =
  /^(?:user\.(?:name|email)|init\.defaultbranch|pull\.(?:rebase|ff)|branch\.autosetuprebase|push\.(?:default|autosetupremote|followtags)|fetch\.prune|merge\.(?:ff|conflictstyle)|rebase\.(?:autostash|autosquash)|commit\.gpgsign|tag\.sort|rerere\.enabled|core\.(?:autocrlf|eol|filemode|ignorecase|longpaths|quotepath|abbrev)|color\.[a-z.]+|advice\.[a-z]+|diff\.(?:algorithm|renames|colormoved)|branch\.[^.]+\.(?:remote|merge|rebase|description))$/i;

/** Options without a separate value. */
const PLAIN_OPTION = /^--(?:global|local|system|worktree|add|unset|unset-all|replace-all)$/;

/** The file that `git config` changes, although the command does not name it. */
export function configurationOf(
  words: readonly ShellWord[],
  start: number,
): readonly FileArgument[] {
  if (programOf(words[start]) !== 'git' || gitCommand(words, start)?.text !== 'config') return [];
  const rest = words.slice(
    words.findIndex(({ text }, index) => index > start && text === 'config') + 1,
  );
  const operands = rest.filter(({ text }) => !text.startsWith('-'));
  const options = rest.map(({ text }) => text).filter((text) => text.startsWith('-'));
  const changes = options.some((option) =>
    /^--(?:add|unset|replace|rename|remove|edit)|^-e$/.test(option),
  );
  if (
    !changes &&
    (operands.length < 2 || options.some((option) => READS.test(option) && !FILES[option]))
  )
    return [];
  const [first, second] = operands;
  if (READING_COMMAND.test(first?.text ?? '')) return [];
  const key = first?.text === 'set' || first?.text === 'unset' ? second : first;
  const isPlain = options.every((option) => PLAIN_OPTION.test(option));
  if (isPlain && key?.isDynamic === false && HARMLESS.test(key.text)) return [];
  const named = options.map((option) => FILES[option]).find((file) => file !== undefined);
  return [{ word: toWord(named ?? '.git/config'), access: 'write', marks: {} }];
}
