import { parseOptions, type KnownOptions } from '../arguments/options.js';
import { isHarmlessSedScript } from './sed-script.js';
import type { ShellCommand } from './shell-analysis.js';
import type { ShellWord } from '../words/shell-token.js';
import { SORT } from '../arguments/sort-options.js';

/** Programs that are read-only with any options. */
const ONLY_READ: ReadonlySet<string> = new Set(
  'ls cat echo pwd head tail grep wc which diff stat du'.split(' '),
);

const SED: KnownOptions = {
  flags: 'nErsuz',
  withValue: 'el',
  long: [
    'quiet',
    'silent',
    'regexp-extended',
    'separate',
    'unbuffered',
    'null-data',
    'posix',
    'sandbox',
    'debug',
    'help',
    'version',
  ],
  longWithValue: ['expression', 'line-length'],
};

const EDITORS: Readonly<Record<string, KnownOptions>> = {
  mkdir: { flags: 'pv', withValue: 'm', long: ['parents', 'verbose'], longWithValue: ['mode'] },
  touch: { flags: 'acm', withValue: 'dt', long: ['no-create'], longWithValue: ['date', 'time'] },
  rm: { flags: 'rRfivdI', long: ['recursive', 'force', 'verbose', 'dir'] },
  rmdir: { flags: 'v', long: ['ignore-fail-on-non-empty', 'verbose'] },
  mv: { flags: 'fnviuT', long: ['force', 'no-clobber', 'verbose', 'update'] },
  cp: {
    flags: 'fnpviuLPdHTrRa',
    long: ['force', 'no-clobber', 'verbose', 'update', 'recursive', 'archive'],
  },
};

/** In full, since `find` knows no abbreviations. Any other expression runs, writes or deletes, or is unknown. */
const FIND_EXPRESSIONS: ReadonlySet<string> = new Set(
  [
    'name iname path ipath wholename iwholename lname ilname regex iregex regextype type xtype size empty',
    'mtime mmin atime amin ctime cmin newer anewer cnewer newermt used user group uid gid nouser nogroup perm',
    'links inum samefile readable writable executable maxdepth mindepth depth d daystart mount xdev',
    'noleaf warn nowarn print print0 printf ls prune quit true false not and or a o H L P O1 O2 O3 follow',
  ].flatMap((line) => line.split(' ')),
);

/** Git options that write files or run programs; git also takes every unambiguous beginning of one. */
const GIT_HARMFUL = [
  'output',
  'ext-diff',
  'exec-path',
  'textconv',
  'open-files-in-pager',
  'help',
  'show-signature',
];

/** The effect of a command, judged by its name and options alone. The name is bare: `/tmp/ls` is another program. */
export function effectOf(words: readonly ShellWord[]): ShellCommand['effect'] {
  const [name = '', ...rest] = words.map(({ text }) => text);
  const hasGlob = words.some(({ isGlob }) => isGlob);
  if (ONLY_READ.has(name)) return 'readOnly';
  const editor = Object.hasOwn(EDITORS, name) ? EDITORS[name] : undefined;
  if (editor !== undefined) return effectOfEditor(name, rest, editor, hasGlob);
  if (hasGlob) return 'none'; // a file's name may be read as an option
  switch (name) {
    case 'sort':
      return parseOptions(rest, SORT) === undefined ? 'none' : 'readOnly';
    case 'sed':
      return effectOfSed(rest);
    case 'find':
      return isReadOnlyFind(rest) ? 'readOnly' : 'none';
    case 'git':
      return isReadOnlyGit(rest) ? 'readOnly' : 'none';
    default:
      return 'none';
  }
}

/** The expansion of wildcards checks names of files that look like an option. */
function effectOfEditor(
  name: string,
  words: readonly string[],
  known: KnownOptions,
  hasGlob: boolean,
): ShellCommand['effect'] {
  const parsed = parseOptions(words, known);
  if (parsed === undefined) return 'none';
  const hidden = /(?:^|\/)\.[^/]*[*?[]/; // may match protected names
  if (hasGlob && words.some((word) => hidden.test(word))) return 'none';
  if (name === 'mv' || name === 'cp') {
    // a source named `git` would become `.config/git`
    if (/(?:^|\/)\.config\/*$/.test(words[parsed.operands.at(-1) ?? -1] ?? '')) return 'none';
  }
  if (name !== 'cp') return 'edit';
  const isContent = (at: number): boolean => /(?:^|\/)\.{1,2}\/*$/.test(words[at] ?? '');
  if (parsed.operands.slice(0, -1).some(isContent)) return 'none'; // the content of a whole folder
  const has = (letter: string, long: string): boolean =>
    parsed.options.some((option) => option.name === letter || option.name === long);
  const isRecursive = has('r', 'recursive') || has('R', 'archive') || has('a', 'archive');
  // the paths below the target are unknown
  return isRecursive && (hasGlob || has('L', '') || has('H', '') || has('T', '')) ? 'none' : 'edit';
}

/** Whether the expression of a `find` runs, writes or deletes. */
export function isActiveFind(words: readonly string[]): boolean {
  return words.some((word) => /^-(?:exec|execdir|ok|okdir|delete|fprint.*|fls)$/.test(word));
}

function effectOfSed(words: readonly string[]): ShellCommand['effect'] {
  const inPlace = /^-(?:([nErsuz]*)i[\w.~-]*|-in-place(?:=[\w.~-]*)?)$/;
  const others = words.filter((word) => !inPlace.test(word));
  const parsed = parseOptions(others, SED);
  if (parsed === undefined) return 'none';
  const scripts = parsed.options.filter(({ name }) => name === 'e' || name === 'expression');
  const first = parsed.operands[0];
  const texts =
    scripts.length > 0
      ? scripts.map(({ value = '' }) => value)
      : [first === undefined ? undefined : others[first]];
  if (!texts.every((text) => text !== undefined && isHarmlessSedScript(text))) return 'none';
  return others.length < words.length ? 'edit' : 'readOnly';
}

function isReadOnlyFind(words: readonly string[]): boolean {
  return words.every(
    (word) =>
      !word.startsWith('-') || /^-\d+[a-zA-Z]?$/.test(word) || FIND_EXPRESSIONS.has(word.slice(1)),
  );
}

function isReadOnlyGit(words: readonly string[]): boolean {
  const rest = words[0] === '--no-pager' ? words.slice(1) : words;
  if (!/^(?:status|log|diff|show)$/.test(rest[0] ?? '')) return false;
  return rest.every((word) => {
    const option = /^--([^=]+)/.exec(word)?.[1];
    return option === undefined || !GIT_HARMFUL.some((harmful) => harmful.startsWith(option));
  });
}
