import type { PathFact } from '../paths/path-fact.js';
import { baseName } from './wrappers.js';
import type { ShellWord } from './shell-token.js';

export type FileArgument = { readonly word: ShellWord; readonly access: PathFact['access'] };

const NO_FILES = new Set(['echo', 'pwd', 'which']);
const READERS = new Set('ls cat head tail grep find wc diff stat du cd sort sed git'.split(' '));
const WRITERS = new Set('mkdir touch rm rmdir mv'.split(' '));

/**
 * The files that a command's arguments name, if it is one of those that are known to read or change files. Rather too
 * many than too few: a number that belongs to an option is taken for a file of the working directory, which harms
 * nobody.
 */
export function fileArguments(words: readonly ShellWord[]): readonly FileArgument[] {
  const [first, ...rest] = words;
  const name = baseName(first?.text ?? '');
  if (NO_FILES.has(name)) return [];
  if (WRITERS.has(name)) return generalFiles(rest, 'write');
  if (name === 'cp') {
    return generalFiles(rest, 'read').map((file, index, all) =>
      index === all.length - 1 ? { ...file, access: 'write' } : file,
    );
  }
  if (!READERS.has(name)) return [];
  switch (name) {
    case 'grep':
      return filesBehindPattern(rest, 'ABCmdD', 'e', 'f');
    case 'sed': {
      const isInPlace = rest.some(({ text }) => /^-[a-zA-Z]*i|^--in/.test(text));
      return filesBehindPattern(rest, 'l', 'e', 'f').map((file) =>
        isInPlace ? { ...file, access: 'write' } : file,
      );
    }
    case 'find':
      return generalFiles(rest.slice(0, firstExpression(rest)), 'read');
    case 'sort':
      return generalFiles(withoutValues(rest, 'ktS'), 'read');
    case 'git':
      return rest.slice(1).flatMap((word) => gitFiles(word));
    default:
      return generalFiles(rest, 'read');
  }
}

/** Words that are no options, and the values of options that may be files. */
function generalFiles(
  words: readonly ShellWord[],
  access: FileArgument['access'],
): readonly FileArgument[] {
  const files: FileArgument[] = [];
  let isOption = true;
  for (const word of words) {
    if (word.text === '--') isOption = false;
    else if (!isOption || !word.text.startsWith('-') || word.text === '-')
      files.push({ word, access });
    else files.push(...optionFiles(word, access));
  }
  return files.filter(({ word }) => word.text !== '/dev/null' && word.text !== '');
}

function optionFiles(word: ShellWord, access: FileArgument['access']): readonly FileArgument[] {
  const value =
    /^--[\w-]*(?:file|from|output|directory|reference)[\w-]*=(.*)$/s.exec(word.text)?.[1] ??
    /^-[A-Za-z]*[fXot](.+)$/s.exec(word.text)?.[1];
  return value === undefined ? [] : [{ word: { ...word, text: value, isTilde: false }, access }];
}

/** For programs whose first operand is a pattern or script, unless an option gives it. */
function filesBehindPattern(
  words: readonly ShellWord[],
  withValue: string,
  pattern: string,
  patternFile: string,
): readonly FileArgument[] {
  const operands: ShellWord[] = [];
  const files: FileArgument[] = [];
  let hasPattern = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    const letters = /^-[A-Za-z0-9]*/.exec(text)?.[0] ?? '';
    if (text === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (text === '-' || !text.startsWith('-')) operands.push(word);
    else if (/^--(?:regexp|expression)(?:=|$)/.test(text)) hasPattern = true;
    else if (text.startsWith('--')) {
      if (/^--(?:file|script-file)=/.test(text)) hasPattern = true;
      files.push(...optionFiles(word, 'read'));
    } else if (letters.includes(pattern)) {
      hasPattern = true;
      if (text.endsWith(pattern)) index++;
    } else if (letters.includes(patternFile)) {
      hasPattern = true;
      files.push(...optionFiles(word, 'read'));
    } else if (letters === text && withValue.includes(text.at(-1) ?? '')) index++;
  }
  return [...files, ...generalFiles(hasPattern ? operands : operands.slice(1), 'read')];
}

function firstExpression(words: readonly ShellWord[]): number {
  const first = words.findIndex(
    ({ text }) => /^[(!,)]/.test(text) || (text.startsWith('-') && !/^-[HLP]$|^-O\d$/.test(text)),
  );
  return first < 0 ? words.length : first;
}

function withoutValues(words: readonly ShellWord[], letters: string): readonly ShellWord[] {
  return words.filter(({ text }, index) => {
    const before = words[index - 1]?.text ?? '';
    const isValue = /^-[A-Za-z]+$/.test(before) && letters.includes(before.at(-1) ?? '');
    return !isValue && !(text.startsWith('-') && letters.includes(text[1] ?? '-'));
  });
}

/** `HEAD:src/a.ts` names a file behind its colon. */
function gitFiles(word: ShellWord): readonly FileArgument[] {
  const colon = word.text.indexOf(':');
  const behind = { ...word, text: word.text.slice(colon + 1), isTilde: false };
  return generalFiles(colon < 0 ? [word] : [word, behind], 'read');
}
