import { optionFiles, takesNoFile } from './option-files.js';
import type { ShellWord } from '../words/shell-token.js';

/** How a program takes its pattern or script: as the first operand, unless an option gives it. */
type PatternOptions = {
  /** Letter and long name of the option that gives the pattern. */
  readonly pattern: readonly [string, string];
  /** Letter of the option that names a file of patterns. */
  readonly patternFile: string;
  /** Letters with another value: one of these words, or a number. */
  readonly withValue: string;
  readonly values: ReadonlySet<string>;
  /** Letters with an optional, attached value. */
  readonly attached: string;
  /** Long options without a value, in full. */
  readonly flags: ReadonlySet<string>;
};

const GREP: PatternOptions = {
  pattern: ['e', 'regexp'],
  patternFile: 'f',
  withValue: 'ABCmdD',
  values: new Set(['read', 'skip', 'recurse']),
  attached: '',
  flags: new Set(
    [
      'ignore-case no-ignore-case line-number recursive dereference-recursive files-with-matches files-without-match',
      'count invert-match word-regexp line-regexp fixed-strings extended-regexp perl-regexp basic-regexp quiet silent',
      'no-messages with-filename no-filename only-matching text null null-data byte-offset initial-tab color colour',
      'line-buffered binary help version',
    ].flatMap((line) => line.split(' ')),
  ),
};

const SED: PatternOptions = {
  pattern: ['e', 'expression'],
  patternFile: 'f',
  withValue: 'l',
  values: new Set(),
  attached: 'i',
  flags: new Set(
    'quiet silent regexp-extended separate unbuffered null-data posix sandbox debug help version in-place follow-symlinks'.split(
      ' ',
    ),
  ),
};

/** The working directory. */
export const HERE: ShellWord = {
  type: 'word',
  start: 0,
  end: 0,
  raw: '.',
  text: '.',
  isDynamic: false,
  isGlob: false,
  isTilde: false,
};

export type GrepFiles = {
  readonly files: readonly ShellWord[];
  /** Folders are read whole; links in them are not followed. */
  readonly isRecursive: boolean;
};

/** The files that `grep` reads. `words` follow its name. */
export function grepFiles(words: readonly ShellWord[]): GrepFiles {
  const { files, operands, letters, end } = readArguments(words, GREP);
  const options = words.slice(0, end).map(({ text }) => text);
  const isRecursive =
    /[rR]/.test(letters) || options.some((text, index) => recurses(text, options[index - 1] ?? ''));
  if (!isRecursive || operands.length > 0) return { files: [...files, ...operands], isRecursive };
  return { files: [...files, HERE], isRecursive };
}

/** Read `-d ACTION` and the long options, which may be abbreviated. */
function recurses(option: string, before: string): boolean {
  if (/^-[A-Za-z]*d$|^--d[^=]*$/.test(before) && option.startsWith('rec')) return true;
  return /^--rec|^--der|^--d[^=]*=(?!read$|skip$)|^-[A-Za-z]*drec/.test(option);
}

/** The files that `sed` reads. `words` follow its name. */
export function sedFiles(words: readonly ShellWord[]): readonly ShellWord[] {
  const { files, operands } = readArguments(words, SED);
  return [...files, ...operands];
}

type PatternArguments = {
  /** The files that options name. */
  readonly files: readonly ShellWord[];
  /** Behind the pattern. */
  readonly operands: readonly ShellWord[];
  /** Every option letter found. */
  readonly letters: string;
  /** The first index that is certainly behind the options. */
  readonly end: number;
};

/** An unknown option may have given the pattern: then every operand counts as a file. */
function readArguments(words: readonly ShellWord[], known: PatternOptions): PatternArguments {
  const operands: ShellWord[] = [];
  const files: ShellWord[] = [];
  let letters = '';
  let hasPattern = false;
  let isPerhapsValue = false; // the word may belong to the option before it
  let end = words.length;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    if (text === '--') {
      const behind = words.slice(index + 1);
      if (isPerhapsValue) {
        files.push(...behind.filter((one) => one.text.startsWith('-')));
        isPerhapsValue = false;
        continue;
      }
      operands.push(...behind);
      end = index;
      break;
    }
    isPerhapsValue = false;
    if (text === '-' || !text.startsWith('-')) operands.push(word);
    else if (text.startsWith('--')) {
      const [name = '', value] = text.slice(2).split('=', 2);
      if (name === known.pattern[1]) {
        hasPattern = true;
        if (value === undefined) index++;
      } else if (value === undefined ? !known.flags.has(name) : !takesNoFile(name)) {
        hasPattern = true;
        isPerhapsValue = value === undefined;
        files.push(...optionFiles(word));
      }
    } else {
      for (let at = 1; at < text.length; at++) {
        const letter = text[at] ?? '';
        const value = text.slice(at + 1);
        const next = words[index + 1];
        letters += letter;
        if (letter === known.pattern[0]) {
          hasPattern = true;
          if (value === '') index++;
        } else if (letter === known.patternFile) {
          hasPattern = true;
          const file = value === '' ? next : { ...word, text: value, isTilde: false };
          if (file !== undefined) files.push(file);
          if (value === '') index++;
        } else if (known.withValue.includes(letter)) {
          if (value !== '') break;
          if (/^\d+$/.test(next?.text ?? '') || known.values.has(next?.text ?? '')) index++;
          else hasPattern = true;
        } else if (!known.attached.includes(letter)) continue;
        break;
      }
    }
  }
  return { files, operands: hasPattern ? operands : operands.slice(1), letters, end };
}
