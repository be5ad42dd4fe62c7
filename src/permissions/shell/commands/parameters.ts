import { joinWords } from '../texts/command-texts.js';
import { commandsIn } from '../texts/found-commands.js';
import { countAssignments } from '../words/segments.js';
import type { ShellWord } from '../words/shell-token.js';
import { baseName, behindPlainWrapper, EXEC_WRAPPERS, GENEROUS } from '../words/wrappers.js';

/**
 * Programs whose arguments do more than name data: code, names of variables that are evaluated, directories for later
 * commands, files that are removed permanently.
 */
const TAKES_NO_PARAMETERS: ReadonlySet<string> = new Set(
  [
    'eval source . exec trap export declare typeset readonly local let unset set shopt read mapfile readarray getopts',
    'alias unalias hash enable bind complete compgen compopt fc jobs wait test [ cd pushd popd dirs rm rmdir find xargs',
  ].flatMap((line) => line.split(' ')),
);

const SHELLS: ReadonlySet<string> = new Set('sh bash dash ash zsh ksh fish'.split(' '));

/**
 * The first word of a command that is only known at run time and that no rule may allow. Plain parameters can only add
 * arguments, which are harmless to most programs.
 */
export function findUnreadable(words: readonly ShellWord[]): ShellWord | undefined {
  const dynamic = words.filter(({ isDynamic }) => isDynamic);
  const [first] = dynamic;
  if (first === undefined) return undefined;
  const opaque = dynamic.find(({ parameters }) => parameters === undefined);
  if (opaque !== undefined) return opaque;

  let start = countAssignments(words);
  for (
    let next = behindPlainWrapper(words, start);
    next !== undefined && words[start]?.text !== 'xargs';
    next = behindPlainWrapper(words, start)
  ) {
    start = next;
  }
  const program = words[start];
  const rest = words.slice(start + 1);
  if (program === undefined || words.indexOf(first) <= start) return first;
  const name = baseName(program.text);
  if (TAKES_NO_PARAMETERS.has(name) || GENEROUS.has(name) || EXEC_WRAPPERS.has(name)) return first;
  if (SHELLS.has(name) && mayBeCode(rest)) return first;
  // the first could be an option that names a variable
  if (name === 'printf' && (rest[0]?.isDynamic === true || rest[0]?.text.startsWith('-') === true))
    return first;
  // an expansion that cannot split is one argument
  return name === 'git' ? dynamic.find(({ parameters }) => parameters?.maySplit) : undefined;
}

/** Whether a parameter may be the command line of a shell, or an option that takes one: not behind the file of a script. */
function mayBeCode(rest: readonly ShellWord[]): boolean {
  if (rest.some(({ text }) => /^-[A-Za-z]*[cs]/.test(text))) return true;
  return rest.find(({ text }) => !/^[-+]/.test(text))?.isDynamic === true;
}

/** Parameters without secrets. */
const COMMON: ReadonlySet<string> = new Set(
  '? # $ HOME PWD OLDPWD PATH USER LOGNAME SHELL HOSTNAME LANG TZ TERM UID EUID NODE_ENV NO_COLOR'.split(
    ' ',
  ),
);

/** Whether a command prints its arguments, and only parameters without secrets among them. */
export function speaksOfNothingHidden([program, ...rest]: readonly ShellWord[]): boolean {
  return program?.text === 'echo' && rest.every((word) => !word.isDynamic || isCommon(word));
}

function isCommon({ raw, isGlob }: ShellWord): boolean {
  const names = [...raw.matchAll(/\\.|\$\{?(\w+|[?#$@*!])/gs)].map(([, name]) => name);
  return !isGlob && names.every((name) => name === undefined || COMMON.has(name));
}

/** Whether no expanded word names a file. An unquoted parameter may hold a wildcard, which names files. */
export function opensNoFile([program, ...rest]: readonly ShellWord[]): boolean {
  if (!/^(?:echo|printf)$/.test(program?.text ?? '')) return false;
  return rest.every((word) => {
    const isOneWord = word.parameters?.maySplit === false && !word.isGlob;
    return !word.isDynamic || isOneWord || isCommon(word);
  });
}

/**
 * Every command that the words may form, with `*` for each word that is filled in at run time: no word, one or several.
 */
export function possibleTexts(words: readonly ShellWord[]): readonly string[] {
  const spell = (spelling: 'raw' | 'text') =>
    joinWords(
      words.map((word) => (word.isDynamic ? '*' : ` ${word[spelling]}`)),
      '',
    );
  const raw = spell('raw');
  const text = spell('text');
  const all = raw.text === text.text ? [raw] : [raw, text];
  const from = commandsIn(words).map(({ start }) => start);
  return from.flatMap((start) =>
    all.map((spelled) => spelled.text.slice(spelled.starts[start]).trimStart()),
  );
}
