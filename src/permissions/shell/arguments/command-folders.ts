import { joinPath, normalisePath } from '../../paths/normalise.js';
import type { Place } from '../../paths/path-fact.js';
import { fillWords } from '../texts/fill-words.js';
import type { KnownValues } from '../words/known-values.js';
import { expandTilde, fillKnownVariables } from './shell-paths.js';
import type { ShellWord } from '../words/shell-token.js';
import { programOf } from '../words/wrappers.js';

/** Long options whose value is the folder that a program works in. Some programs abbreviate them. */
const LONG = ['chdir', 'directory', 'cwd', 'work-tree', 'prefix', 'output-dir'];
/** Further letters for such an option, and the programs that have them. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['sudo', 'D'],
  ['doas', 'D'],
  ['patch', 'd'],
  ['unzip', 'd'],
  ['wget', 'P'],
]);

/** Most folders of one command. */
const MAX_FOLDERS = 64;

/**
 * The folders that commands may work in besides those of their shell: `env -C DIR`, `git -C DIR`, `tar
 * --directory=DIR`. Each folder is relative to those before it. Undefined if there are too many.
 *
 * @param from the folders of the shell
 */
export type FoldersOf = (words: readonly ShellWord[]) => readonly string[] | undefined;

export function foldersFrom(from: readonly string[], values: KnownValues, place: Place): FoldersOf {
  const known = new Map<readonly ShellWord[], readonly string[] | undefined>();
  return (words) => {
    if (!known.has(words)) known.set(words, foldersOf(words, from, values, place));
    return known.get(words);
  };
}

function foldersOf(
  words: readonly ShellWord[],
  from: readonly string[],
  values: KnownValues,
  place: Place,
): readonly string[] | undefined {
  const named = namedFolders(words);
  if (named.length === 0) return from;
  const filled = fillWords(named, values, MAX_FOLDERS);
  if (!filled.areAll) return undefined;
  let folders = from;
  for (const word of filled.words) {
    const { text } = fillKnownVariables(word, place);
    const path = expandTilde(text, place.home);
    const below = folders.map((folder) => normalisePath(joinPath(folder, path)));
    folders = [...new Set([...folders, ...below])];
    if (folders.length > MAX_FOLDERS) return undefined;
  }
  return folders;
}

function namedFolders(words: readonly ShellWord[]): readonly ShellWord[] {
  if (!words.some(({ text, bare = text }) => text.startsWith('-') || bare.endsWith('tar')))
    return [];
  let letters = 'C';
  const named: ShellWord[] = [];
  for (const [index, word] of words.entries()) {
    const { text } = word;
    const name = programOf(word);
    letters += LETTERS.get(name) ?? '';
    if (name === 'tar') named.push(...ofBundle(words.slice(index + 1, index + 5)));
    if (!text.startsWith('-')) continue;
    const [option = '', value] = splitOption(text, letters);
    if (option === '') continue;
    const folder = value === undefined ? words[index + 1] : { ...word, text: value };
    if (folder !== undefined && folder.text !== '' && !folder.text.startsWith('-'))
      named.push(folder);
  }
  return named;
}

/** The option if it names a folder, and its value if that is part of the word. */
function splitOption(text: string, letters: string): readonly (string | undefined)[] {
  if (text.startsWith('--')) {
    const [, name = '', value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(text) ?? [];
    return name.length > 1 && LONG.some((long) => long.startsWith(name)) ? [name, value] : [];
  }
  const attached = letters.includes(text[1] ?? '-') ? text.slice(2) : '';
  if (attached !== '') return ['-', attached];
  return /^-[a-zA-Z]*$/.test(text) && letters.includes(text.at(-1) ?? '-') ? ['-'] : [];
}

/** `tar cCf DIR x.tar`: the values of letters without a dash follow in their order. */
function ofBundle([letters, ...values]: readonly ShellWord[]): readonly ShellWord[] {
  return /^[a-zA-Z]*C[a-zA-Z]*$/.test(letters?.text ?? '') ? values : [];
}
