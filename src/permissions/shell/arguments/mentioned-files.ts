import { isCode, isInterpreter, pathsInCode } from './code-paths.js';
import { takesFiles, type FileArgument } from './file-arguments.js';
import { gitCommand } from './git-contents.js';
import { isMessage } from './messages.js';
import { packsFolders } from './read-folders.js';
import { assignedVariable } from '../words/segments.js';
import type { ShellWord } from '../words/shell-token.js';
import { GENEROUS, programOf } from '../words/wrappers.js';

/** Programs that use their arguments as words, and open none of them. */
const SPEAKERS = new Set(
  [
    'echo printf pwd which type whatis man basename dirname realpath readlink test [ [[ true false : kill set shift',
    'export declare typeset local readonly alias unalias unset let read mapfile readarray trap shopt return exit hash',
  ].flatMap((line) => line.split(' ')),
);
const KEYWORDS = new Set(
  'if then else elif do while until ! coproc function { } case in for select'.split(' '),
);
/** The reserved words in front of a name. */
const NAMING = new Set(['for', 'select', 'case']);

/** Programs whose files are known from their arguments, but that may change some of them. */
const CHANGERS = new Set(
  'curl vi vim nvim nano emacs view gzip bzip2 xz zstd scp split csplit uniq xxd iconv yq'.split(
    ' ',
  ),
);
/** Programs that only read their first file: a program text, the source of a copy. */
const FIRST_IS_READ =
  /^(?:bash|sh|dash|ash|zsh|ksh|fish|scp|split|csplit|uniq|xxd|source|\.|npx|uv)$/;
const EDITOR = /^(?:n?vim?|ex|ed|emacs)$/;
/** Programs that only read all of their files. */
const READERS = new Set(
  'ssh ssh-add shellcheck hexyl basenc expand unexpand look tsort ptx glow'.split(' '),
);

/** Programs whose arguments are addresses; only some options take a file. */
const CLIENTS = new Set(['curl', 'wget', 'http', 'https', 'xh', 'aria2c']);
const FILE_OPTION =
  /^-[a-zA-Z]*[TKbcDEoOiP]$|^--[a-z-]*(?:file|cert|key|config|cookie|output|dir|dump|data|form|trace|etag|netrc|crl|load|input|ca)[a-z-]*$/;

/** How the words behind a program may be files: `any` may also be changed. */
type Use = 'none' | 'read' | 'any';

/**
 * The files that words may name whose use is not known: every argument of every program counts, by itself and in its
 * parts, unless the program is known to use words only. Each word counts once, whatever the number of commands that it
 * belongs to.
 *
 * @param starts the indexes at which commands begin, ascending
 */
export function mentionedFiles(
  words: readonly ShellWord[],
  starts: readonly number[],
  fill: (word: ShellWord) => readonly ShellWord[],
): readonly FileArgument[] {
  const begins = new Set(starts);
  const files: FileArgument[] = [];
  let use: Use = 'any';
  let isFixed = false; // an unknown program may come first
  let isFirstRead = false;
  let isClient = false;
  let takesFolders = false;
  let runsCode = false;
  let writesOutput = true;
  for (const [index, word] of words.entries()) {
    if (begins.has(index)) {
      const own = useOf(words, index);
      if (own !== undefined) {
        if (!isFixed || own === 'any') use = own;
        isFixed ||= own === 'any';
        const name = programOf(word);
        isClient = CLIENTS.has(name);
        takesFolders ||= packsFolders(
          name,
          words.slice(index + 1, index + 8).map(({ text }) => text),
        );
        runsCode ||= isInterpreter(word);
        isFirstRead = FIRST_IS_READ.test(name) || (isInterpreter(word) && !EDITOR.test(name));
        writesOutput = mayHaveOutput(name);
        if (word.text.includes('/')) files.push(...toFiles(fill(word), 'read'));
        continue;
      }
    }
    if (runsCode && isCode(word.text)) files.push(...filesInCode(word, fill));
    if (writesOutput) files.push(...outputsOf(words, index, fill));
    if (use === 'none' || isMessage(words, index)) continue;
    if (isClient && !mayBeFileOfClient(words, index)) continue;
    const isRead = use === 'read' || (isFirstRead && !word.text.startsWith('-'));
    if (isRead) isFirstRead = false;
    const named = toFiles(partsOf(fill(word)), isRead ? 'read' : 'any');
    for (const file of named) files.push(takesFolders ? asTree(file) : file);
  }
  return files;
}

/** How a command uses the words behind its name; undefined if another command follows. */
function useOf(words: readonly ShellWord[], start: number): Use | undefined {
  const word = words[start]!; // an index of these words
  const name = programOf(word);
  if (start > 0 && NAMING.has(words[start - 1]?.raw ?? '')) return 'none';
  if (KEYWORDS.has(word.raw) || assignedVariable(word) !== undefined) return undefined;
  if (GENEROUS.has(name) || /^\d+(?:\.\d+)?[smhd]?$/.test(name)) return undefined;
  if (SPEAKERS.has(name)) return 'none';
  if (READERS.has(name)) return 'read';
  if (name === 'tar' && extracts(words.slice(start + 1))) return 'any';
  if (name === 'git') return changesFiles(words, start) ? 'any' : 'none';
  return takesFiles(name) && !CHANGERS.has(name) ? 'none' : 'any';
}

function extracts(rest: readonly ShellWord[]): boolean {
  return rest.some(
    ({ text }, index) =>
      /^-[a-zA-Z]*x|^--(?:ex|get)/.test(text) ||
      (index === 0 && /^[a-zA-Z]*x[a-zA-Z]*$/.test(text)),
  );
}

const GIT_CHANGES =
  /^(?:checkout|restore|rm|mv|apply|am|clean|clone|init|worktree|submodule|sparse-checkout)$/;

function changesFiles(words: readonly ShellWord[], start: number): boolean {
  return GIT_CHANGES.test(gitCommand(words, start)?.text ?? '');
}

function mayBeFileOfClient(words: readonly ShellWord[], index: number): boolean {
  const { text = '' } = words[index] ?? {};
  return (
    /^(?:[/~@<]|\.{1,2}\/|\$|-)|^file:|=/i.test(text) ||
    (index > 0 && FILE_OPTION.test(words[index - 1]?.text ?? ''))
  );
}

/** Programs whose `-o` is no file. */
const NO_OUTPUT = new Set(
  'ls find grep egrep fgrep zgrep rgrep rg ag ack ps ssh mount cat head tail wc stat du bash sh zsh ksh dash pidof'.split(
    ' ',
  ),
);

function mayHaveOutput(name: string): boolean {
  return !NO_OUTPUT.has(name) && !SPEAKERS.has(name);
}

const OUTPUT_OPTION =
  /^-[a-zA-Z]*[oO]$|^--?out(?:put|file|-file|put-document|put-file|-dir|put-dir)?$/;
const OUTPUT =
  /^(?:--?out(?:put|file|-file|put-document|put-file|-dir|put-dir)?=|-[nkqsSLfv]*[oO])(.+)$/s;

/** The file that an option names for the output of its program. */
function outputsOf(
  words: readonly ShellWord[],
  index: number,
  fill: (word: ShellWord) => readonly ShellWord[],
): readonly FileArgument[] {
  const word = words[index]!; // an index of these words
  const before = index === 0 ? '' : (words[index - 1]?.text ?? '');
  if (!word.isDynamic && !word.text.startsWith('-') && !before.startsWith('-')) return [];
  const files = fill(word).flatMap((one) => {
    const value = OUTPUT.exec(one.text)?.[1];
    if (value !== undefined) return [{ ...one, text: value, isTilde: value.startsWith('~') }];
    return OUTPUT_OPTION.test(before) && !one.text.startsWith('-') ? [one] : [];
  });
  return files.map((file) => ({ word: file, access: 'write', marks: { isOverwritten: true } }));
}

const MARKS = {
  read: { plain: {}, glob: { isGlob: true } },
  any: { plain: { isSource: true }, glob: { isSource: true, isGlob: true } },
} as const;

function toFiles(words: readonly ShellWord[], use: 'read' | 'any'): readonly FileArgument[] {
  return words.map((word) => ({
    word,
    access: use === 'read' ? 'read' : 'write',
    marks: word.isGlob ? MARKS[use].glob : MARKS[use].plain,
  }));
}

function asTree(file: FileArgument): FileArgument {
  return { ...file, marks: { ...file.marks, isTree: true } };
}

function filesInCode(
  word: ShellWord,
  fill: (word: ShellWord) => readonly ShellWord[],
): readonly FileArgument[] {
  return fill(word).flatMap(({ text }) => toFiles(pathsInCode(text).map(toWord), 'any'));
}

/** A path out of a text. */
export function toWord(text: string): ShellWord {
  return {
    type: 'word',
    start: 0,
    end: 0,
    raw: text,
    text,
    isDynamic: false,
    isGlob: false,
    isTilde: text.startsWith('~'),
  };
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** A word, and its parts that may be files: the value of an option, the parts of a list, the path of a `file:` address. */
function partsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.flatMap((word) => {
    const { text } = word;
    if (!/^-|[=,;:@<>+]/.test(text)) return [word];
    const local = /^file:(?:\/\/(?:localhost)?)?(\/.*)$/is.exec(text)?.[1];
    if (local !== undefined) return [toWord(decoded(local))];
    if (ADDRESS.test(text)) return [];
    const value = /^--?[\w-]*=(.+)$/s.exec(text)?.[1] ?? /^-[A-Za-z](.+)$/s.exec(text)?.[1];
    const parts = [...new Set((value ?? text).split(/[=,;]/))].flatMap((part) => {
      const [first = '', ...rest] = part.replace(/^[@<>+]+/, '').split(':');
      return [first, ...rest.filter((one) => /^[/~]/.test(one))];
    });
    const found = new Set(
      [...(value === undefined ? [] : [value]), ...parts].filter(
        (part) => part !== '' && part !== text,
      ),
    );
    return [word, ...[...found].map((part) => ({ ...toWord(part), isGlob: word.isGlob }))];
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
