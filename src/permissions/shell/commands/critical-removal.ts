import { normalisePath } from '../../paths/normalise.js';
import type { Place } from '../../paths/path-fact.js';
import { foldersFrom } from '../arguments/command-folders.js';
import { fillWords } from '../texts/fill-words.js';
import type { KnownValues } from '../words/known-values.js';
import type { CommandSite } from './read-commands.js';
import type { FoundCommand } from '../words/segments.js';
import { expandTilde, fillKnownVariables } from '../arguments/shell-paths.js';
import type { ShellWord } from '../words/shell-token.js';
import { baseName } from '../words/wrappers.js';

/**
 * Find the first removal of a directory that nobody removes on purpose, as written: the root and its direct entries,
 * home, the working directory and everything above it, everything in one of these, or everything in a directory whose
 * name is only known at run time. Such a removal asks whatever rule allows it.
 */
export function findCriticalRemoval(
  sites: readonly CommandSite[],
  values: KnownValues,
  place: Place,
): string | undefined {
  const isInput = sites.some(({ commands }) => commands.some(removesInput));
  return sites
    .map((site) => findIn(site, values, place, isInput))
    .find((removal) => removal !== undefined);
}

function findIn(
  { commands, directories }: CommandSite,
  values: KnownValues,
  place: Place,
  isInput: boolean,
): string | undefined {
  const removals = commands.filter(
    ({ words, start }) => isRemover(words[start]) || findsAndDeletesAll(words, start, isInput),
  );
  if (removals.length === 0) return undefined;
  const critical = new Set([
    place.home,
    ...ancestorsOf(place.cwd),
    ...ancestorsOf(place.projectRoot),
  ]);
  /**
   * The first checked word of each list; all words behind it are checked too. One command may be the end of another.
   */
  const seen = new Map<readonly ShellWord[], number>();
  const foldersOf = foldersFrom(directories, values, place);
  let left = MAX_WORDS;
  const removal = removals.find(({ words, start }) => {
    const end = seen.get(words) ?? words.length;
    seen.set(words, Math.min(start + 1, end));
    const folders = foldersOf(words) ?? directories;
    const written = words.slice(start + 1, end);
    const filled = left > 0 ? fillWords(written, values, left) : { words: [], areAll: false };
    left = filled.areAll ? left - filled.words.length : 0;
    const removed = filled.areAll ? filled.words : [...filled.words, ...written];
    return removed.some((word) => isCritical(word, folders, critical, place));
  });
  return removal?.words
    .slice(removal.start)
    .map(({ raw }) => raw)
    .join(' ');
}

/** Most words of the removals in one place, once their variables are filled in. */
const MAX_WORDS = 12_000;
const REMOVERS: ReadonlySet<string> = new Set(['rm', 'rmdir']);

/**
 * A `find` in a folder with a full path that deletes all, or all of a type or a depth: by itself, with `-exec rm`, or as
 * the input of a removal.
 */
function findsAndDeletesAll(words: readonly ShellWord[], start: number, isInput: boolean): boolean {
  if (baseName(words[start]?.text ?? '') !== 'find') return false;
  if (!words.some(({ text }) => text !== '' && '/~$'.includes(text[0]!))) return false; // not empty
  const rest = words.slice(start + 1);
  const action = rest.findIndex(({ text }) => /^-(?:exec|ok)(?:dir)?$/.test(text));
  const options = (action < 0 ? rest : rest.slice(0, action)).filter(({ text }) =>
    text.startsWith('-'),
  );
  const removes = action >= 0 && rest.slice(action + 1).some(isRemover);
  return (
    (isInput || removes || options.some(({ text }) => text === '-delete')) &&
    options.every(({ text }) =>
      /^-(?:delete|type|depth|xdev|mount|m(?:in|ax)depth|print0?|[HLP])$/.test(text),
    )
  );
}

/** `xargs rm`: the input of the line is removed. */
function removesInput({ words, start }: FoundCommand): boolean {
  return isRemover(words[start]) && words.some(({ text }) => baseName(text) === 'xargs');
}

function isRemover(word: ShellWord | undefined): boolean {
  return REMOVERS.has(baseName(word?.text ?? ''));
}

const EVERYTHING_IN_A_VARIABLE = /(?:\$[A-Za-z_]\w*|\$[0-9@*]|[})`])\/+[*.?]*$/;

function isCritical(
  word: ShellWord,
  directories: readonly string[],
  critical: ReadonlySet<string>,
  place: Place,
): boolean {
  if (word.isDynamic && word.text.includes('{') && word.text.includes(',')) {
    const pieces = word.text.split(/[{},]/).filter((piece) => piece !== '');
    return pieces.some((text) =>
      isCritical({ ...word, text, isDynamic: text.includes('$') }, directories, critical, place),
    );
  }
  const filled = fillKnownVariables(word, place);
  const text = word.isTilde || word.isDynamic ? expandTilde(filled.text, place.home) : filled.text;
  if (word.isDynamic && EVERYTHING_IN_A_VARIABLE.test(text)) return true;
  // a last segment of wildcards means everything in the directory
  const directory = text.replace(/(^|\/)[.?*]*\*[.?*]*\/*$/, '$1');
  if (directory === '' && text === '') return false;
  const paths = directory.startsWith('/')
    ? [directory]
    : directories.map((cwd) => `${cwd}/${directory}`);
  return paths.map(normalisePath).some((path) => critical.has(path) || /^\/[^/]*$/.test(path));
}

function ancestorsOf(path: string): readonly string[] {
  const ancestors = [path];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    ancestors.push(path.slice(0, end));
  }
  return ancestors;
}
