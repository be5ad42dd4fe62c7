import type { PathFact, PathMarks } from '../../paths/path-fact.js';
import { followsLinks } from './follows-links.js';
import { grepFiles, HERE, sedFiles } from './pattern-arguments.js';
import { gitCommand, withBehindColon } from './git-contents.js';
import { isMessage } from './messages.js';
import { foundMarks, packsFolders } from './read-folders.js';
import { optionFiles } from './option-files.js';
import { parseOptions } from './options.js';
import { baseName } from '../words/wrappers.js';
import type { ShellWord } from '../words/shell-token.js';
import { SORT } from './sort-options.js';

export type FileArgument = {
  readonly word: ShellWord;
  readonly access: PathFact['access'];
  readonly marks: PathMarks;
  /** The wildcard whose matches give the path its name inside `target`. */
  readonly namedAfter?: ShellWord;
};

const NO_FILES = new Set(['echo', 'pwd', 'which']);
const READERS = new Set('ls cat head tail grep find wc diff stat du cd sort sed git'.split(' '));
const WRITERS = new Set('mkdir touch rm rmdir'.split(' '));

/** Programs that read their operands. They always need approval; rules that deny or ask match the files. */
const OTHER_READERS = new Set(
  [
    'less more most view vi vim nvim nano emacs bat batcat source . awk gawk mawk nawk nl tac od xxd hexdump hd strings',
    'base32 base64 cut paste uniq rev fold column fmt pr shuf split csplit join comm cmp file iconv cksum md5sum',
    'sha1sum sha224sum sha256sum sha384sum sha512sum b2sum tar zip gzip bzip2 xz zstd zcat bzcat xzcat scp jq yq',
  ].flatMap((line) => line.split(' ')),
);
/** Programs among them with the operands of `grep`. */
const OTHER_GREPS = new Set('rg ag ack egrep fgrep zgrep rgrep'.split(' '));

const FILE_PROGRAMS = new Set([
  ...[NO_FILES, READERS, WRITERS, OTHER_READERS, OTHER_GREPS].flatMap((names) => [...names]),
  'cp',
  'mv',
  'curl',
]);

/** Options whose value is a file that names further files, and the programs that abbreviate them. */
const LISTS = ['--files0-from', '--files-from'];
const ABBREVIATE_LISTS = new Set(['wc', 'du']);

/** Most paths of one command line. A path counts each time it is named, in every directory that it may be in. */
export const MAX_PATHS = 12_000;

/** Whether a file in a command, such as `@list`, may list the files that the command reads. */
export function namesListOfFiles(words: readonly ShellWord[]): boolean {
  const name = baseName(words[0]?.text ?? '');
  const isList = ({ text }: ShellWord): boolean => {
    if (!text.startsWith('--')) return false;
    const option = text.replace(/=.*$/s, '');
    const isAbbreviated =
      ABBREVIATE_LISTS.has(name) && option.length > 2 && '--files0-from'.startsWith(option);
    return LISTS.includes(option) || isAbbreviated;
  };
  if (words.slice(1).some(isList)) return true;
  if (name === 'git') return false; // `@` is a commit
  if (!words.some(({ text }) => text.includes('@'))) return false;
  return fileArguments(words).some(({ word }) => word.text.startsWith('@'));
}

/** Whether the arguments of a program are known to name files. */
export function takesFiles(program: string): boolean {
  return FILE_PROGRAMS.has(baseName(program));
}

/**
 * The files that the arguments of a command name, if the command is known to read or change files. The list holds too
 * many rather than too few: the number of an option counts as a file of the working directory, which does no harm.
 *
 * @param options.mayHaveInput false if the line has no pipe: then a search without a folder is one in this folder
 * @param options.most the limit on files; the first ones are kept
 */
export function fileArguments(
  words: readonly ShellWord[],
  { mayHaveInput = true, most = MAX_PATHS }: Partial<{ mayHaveInput: boolean; most: number }> = {},
): readonly FileArgument[] {
  const files: FileArgument[] = [];
  for (const file of namedFiles(words, mayHaveInput)) {
    if (files.length >= most) break;
    const { text, isGlob } = file.word;
    if (text === '/dev/null' || text === '') continue;
    files.push(isGlob ? { ...file, marks: { ...file.marks, isGlob } } : file);
  }
  return files;
}

function namedFiles(words: readonly ShellWord[], mayHaveInput: boolean): Iterable<FileArgument> {
  const name = baseName(words[0]?.text ?? '');
  if (!FILE_PROGRAMS.has(name)) return [];
  const rest = words.slice(1);
  if (NO_FILES.has(name)) return rest.filter(({ isGlob }) => isGlob).map(listedDirectory);
  if (WRITERS.has(name)) return toFiles(generalFiles(rest), 'write');
  if (name === 'cp' || name === 'mv') return transferFiles(rest, name === 'cp' ? 'read' : 'write');
  if (OTHER_GREPS.has(name)) return searchedFiles(name, rest, mayHaveInput);
  if (name === 'curl') return toFiles(rest.flatMap(behindAt), 'read');
  const texts = rest.map(({ text }) => text);
  const links: PathMarks = followsLinks(name, texts) ? { followsLinks: true } : {};
  switch (name) {
    case 'grep': {
      const { files, isRecursive } = grepFiles(rest);
      return toFiles(files, 'read', isRecursive ? { isTree: true, ...links } : {});
    }
    case 'sed': {
      const files = sedFiles(rest);
      const isInPlace = texts.some((text) => /^-[a-zA-Z]*i|^--i/.test(text));
      return isInPlace ? toFiles(withBackups(files, texts), 'write') : toFiles(files, 'read');
    }
    case 'find': {
      const marks = foundMarks(rest, links);
      const folders = filesOrHere(rest.slice(0, firstExpression(rest)), marks);
      return toFiles([...folders, ...listsOf(rest)], 'read', marks);
    }
    case 'sort':
      return toFiles(sortFiles(rest), 'read');
    case 'git':
      if (/^(?:grep|archive)$/.test(gitCommand(words, 0)?.text ?? ''))
        return toFiles([HERE, ...generalFiles(rest)], 'read', { isTree: true, skipsHidden: true });
      return toFiles(
        generalFiles(
          rest
            .filter((_, index) => index > 0 && !isMessage(words, index + 1))
            .flatMap(withBehindColon),
          'O',
        ),
        'read',
      );
    case 'diff':
      // `diff` compares the content of two folders
      return toFiles(generalFiles(rest), 'read', {
        followsLinks: true,
        ...(links.followsLinks === true ? { isTree: true } : {}),
      });
    case 'cd':
      return toFiles(
        generalFiles(rest).filter(({ text }) => text !== '-'),
        'read',
      );
    case 'ls':
    case 'du':
      return toFiles(filesOrHere(rest, links), 'read', links);
    default:
      return toFiles(generalFiles(rest), 'read', packsFolders(name, texts) ? { isTree: true } : {});
  }
}

/** Searches that go down into folders by themselves, and leave out hidden files. */
const SEARCHES = new Set(['rg', 'ag', 'ack']);
const WITH_HIDDEN = /^-[a-zA-Z]*u|^-\.$|^--(?:hidden|unrestricted|no-ignore|all)/;

function searchedFiles(
  name: string,
  rest: readonly ShellWord[],
  mayHaveInput: boolean,
): Iterable<FileArgument> {
  const { files, isRecursive } = grepFiles(rest);
  if (!SEARCHES.has(name))
    return toFiles(files, 'read', isRecursive || name === 'rgrep' ? { isTree: true } : {});
  const texts = rest.map(({ text }) => text);
  if (texts.includes('--files')) return toFiles(files, 'read');
  const hidden: PathMarks = texts.some((text) => WITH_HIDDEN.test(text))
    ? {}
    : { skipsHidden: true };
  const folders = files.length === 0 && !mayHaveInput ? [HERE] : files;
  return toFiles(folders, 'read', { isTree: true, ...hidden });
}

const NO_MARKS: PathMarks = {};

function* toFiles(
  words: Iterable<ShellWord>,
  access: FileArgument['access'],
  marks: PathMarks = NO_MARKS,
): Iterable<FileArgument> {
  for (const word of words) yield { word, access, marks };
}

/**
 * Words that are no options, and the values of options that may be files. Behind `--` a word may be either: `--` itself
 * may be the value of an option.
 */
function generalFiles(words: readonly ShellWord[], letters?: string): readonly ShellWord[] {
  const end = words.findIndex(({ text }) => text === '--');
  const files: ShellWord[] = [];
  for (const [index, word] of words.entries()) {
    if (index === end) continue;
    const isOption = word.text.startsWith('-') && word.text !== '-';
    if (isOption) files.push(...optionFiles(word, letters));
    if (!isOption || (end >= 0 && index > end)) files.push(word);
  }
  return files;
}

/** Without files, the command reads the working directory. Only the links in it matter then. */
function filesOrHere(
  words: readonly ShellWord[],
  { followsLinks: hasLinks, isTree }: PathMarks,
): readonly ShellWord[] {
  const files = generalFiles(words);
  return files.length === 0 && (hasLinks === true || isTree === true) ? [HERE] : files;
}

/** The files that list the starting points of `find`. */
function listsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.filter((_, index) => words[index - 1]?.text === '-files0-from');
}

/** Even a program that only prints its arguments shows the names in a directory if an argument has wildcards. */
function listedDirectory(word: ShellWord): FileArgument {
  const slash = word.text.lastIndexOf('/');
  const text = slash < 0 ? '.' : slash === 0 ? '/' : word.text.slice(0, slash);
  return { word: { ...word, text, isGlob: /[*?[]/.test(text) }, access: 'read', marks: {} };
}

/** Sources, the target, and each source's name in the target, which may be a directory. */
function transferFiles(
  words: readonly ShellWord[],
  access: FileArgument['access'],
): readonly FileArgument[] {
  const files = generalFiles(words);
  const into = targetFolder(words);
  const target = into ?? files.at(-1);
  if (target === undefined) return [];
  const isTree =
    access === 'read' && words.some(({ text }) => /^-[a-zA-Z]*[rRa]|^--(?:rec|arch)/.test(text));
  const tree = isTree ? ({ isCopied: true } as const) : {};
  const sources = into === undefined ? files.slice(0, -1) : files;
  const inTarget = sources.map((source): FileArgument => {
    const name = baseName(source.text.replace(/\/+$/, ''));
    const isGlob = source.isGlob || target.isGlob;
    const word = { ...target, text: `${target.text}/${name}`, isGlob };
    const namedAfter = source.isGlob ? { namedAfter: source } : {};
    return {
      word,
      access: 'write',
      marks: { isInTarget: true, isOverwritten: true, ...tree },
      ...namedAfter,
    };
  });
  const marks: PathMarks =
    access === 'write' ? { isMoved: true } : isTree ? { isTree, ...tree } : {};
  return [
    ...toFiles(sources, access, marks),
    ...toFiles([target], 'write', { isOverwritten: true }),
    ...inTarget,
  ];
}

/** The folder of `cp -t DIR FILE`, if it is a separate word. */
function targetFolder(words: readonly ShellWord[]): ShellWord | undefined {
  return words.find((_, index) => /^-[a-zA-Z]*t$|^--t[a-z-]*$/.test(words[index - 1]?.text ?? ''));
}

/** With the backups of `sed -iSUFFIX`: `*` in the suffix is the name; a suffix without `*` is added to the name. */
function* withBackups(
  files: readonly ShellWord[],
  options: readonly string[],
): Iterable<ShellWord> {
  yield* files;
  for (const option of options) {
    const suffix = /^(?:-[a-zA-Z]*?i|--i[a-z-]*=)(.+)$/s.exec(option)?.[1];
    if (suffix === undefined) continue;
    for (const file of files) {
      const name = baseName(file.text);
      const folder = file.text.slice(0, file.text.length - name.length);
      const backup = suffix.includes('*') ? suffix.replaceAll('*', () => name) : name + suffix;
      yield { ...file, text: folder + backup };
      if (backup.includes('/')) yield { ...file, text: backup };
    }
  }
}

/** GNU find takes `!x`, `(x`, `,` and `)` for folders to start at. */
function firstExpression(words: readonly ShellWord[]): number {
  const first = words.findIndex(
    ({ text }) => /^[(!]$/.test(text) || (text.startsWith('-') && !/^-[HLP]?$|^-O\d$/.test(text)),
  );
  return first < 0 ? words.length : first;
}

/** If an option is unknown, the values of options count too. */
function sortFiles(words: readonly ShellWord[]): readonly ShellWord[] {
  const parsed = parseOptions(
    words.map(({ text }) => text),
    SORT,
  );
  if (parsed === undefined) return generalFiles(words);
  return words.filter((_, index) => parsed.operands.includes(index));
}

/** `-d @FILE` and `-F name=@FILE` send a file. */
function behindAt(word: ShellWord): readonly ShellWord[] {
  const [, text] = /^(?:-[dF]|[^=@/]*=)?[@<](.+)$/s.exec(word.text) ?? [];
  return text === undefined ? [] : [{ ...word, text, isTilde: false }];
}
