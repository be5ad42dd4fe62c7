import { assignedVariable, type FoundCommand } from '../words/segments.js';
import type { ShellWord } from '../words/shell-token.js';
import { substitutionsIn } from '../tokens/substitutions.js';
import { possibleWrapped, programOf } from '../words/wrappers.js';

/** Programs that take a command line as the value of `-c`. */
const SHELLS: ReadonlySet<string> = new Set(
  'bash sh dash ash zsh ksh fish su runuser script flock'.split(' '),
);
/** Programs that join their arguments to a command line, behind their own options. */
const JOINERS: ReadonlySet<string> = new Set(['eval', 'watch', 'parallel']);
/** Programs that evaluate substitutions even in quoted arguments: as subscripts, as arithmetic. */
const EVALUATORS: ReadonlySet<string> = new Set(
  'let test [ [[ declare typeset local export readonly unset read printf wait getopts'.split(' '),
);
/** Options of `env` whose value it splits into words. */
const SPLIT = /^(?:-[^-\s]*S|--s)/;
const SPLIT_OPTION = /^(?:-[^-\sS]*S|--s[a-z-]*=?)/;

/** The command lines that a program runs, out of the words behind its name. */
type Reader = (rest: readonly ShellWord[]) => readonly string[];
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...[...SHELLS].map((name) => [name, valuesOfCommand] as const),
  ...[...EVALUATORS].map((name) => [name, quotedSubstitutionsIn] as const),
  ...['mapfile', 'readarray', 'complete', 'compgen'].map(
    (name) => [name, textsCalledBack] as const,
  ),
  ['trap', (rest) => rest.map(({ text }) => text)],
  ['alias', programsNamed],
  ['hash', programsNamed],
]);

/**
 * The command lines that commands get as text and run, for rules that deny or ask: `eval TEXT`, `sh -c TEXT`, `trap
 * TEXT EXIT`, `alias x=TEXT`, the arguments of an unknown program, and quoted substitutions that are evaluated anyway.
 *
 * @param commands the commands in one list of words, in any order
 * @param isUnknown whether a word may be any program
 */
export function textsRunBy(
  commands: readonly FoundCommand[],
  isUnknown: (program: ShellWord) => boolean,
): readonly string[] {
  const inOrder = commands.length < 2 ? commands : commands.toSorted((a, b) => a.start - b.start);
  const readers = new Set<Reader>();
  const read = inOrder.flatMap(({ words, start }) => {
    const reader = READERS.get(programOf(words[start]));
    // the words behind a later one are behind the first one as well
    if (reader === undefined || readers.has(reader)) return [];
    readers.add(reader);
    return reader(words.slice(start + 1));
  });
  return [...read, ...textsJoined(inOrder, isUnknown)];
}

/** Most texts of one list of words; beyond that, each word that may begin a command counts. */
const MAX_JOINED = 4;

/** The texts of programs that join their arguments, if quotes change them. */
function textsJoined(
  commands: readonly FoundCommand[],
  isUnknown: (program: ShellWord) => boolean,
): readonly string[] {
  const words = commands[0]?.words ?? [];
  const unknown = commands.find(({ start }) => isUnknown(words[start]!)); // a command begins there
  const starts = new Set<number>();
  let split = -1;
  for (const { start } of commands) {
    const name = programOf(words[start]);
    if (name === 'env' && split <= start) split = nextSplit(words, start);
    for (const from of startsOfJoined(words, start, name, split)) starts.add(from);
    if (starts.size > MAX_JOINED) break;
  }
  if (unknown === undefined && starts.size === 0) return [];
  const first = Math.min(unknown === undefined ? Infinity : unknown.start + 1, ...starts);
  const rest = words.slice(first);
  const isSplit = rest.some(({ isDynamic, text }) => isDynamic && SPLIT.test(text));
  if (!isSplit && rest.every(({ raw, text }) => raw === text)) return [];
  const whole = rest.map(({ text }) => text).join(' ');
  return [
    ...linesIn(rest),
    ...[...starts].slice(0, MAX_JOINED).flatMap((from) => textsOf(words.slice(from))),
    ...(unknown === undefined ? [] : [whole]),
    ...(starts.size > MAX_JOINED ? [`$_ ${whole}`] : []),
  ];
}

/** The index of the next word that `env` may split; infinite without such a word. */
function nextSplit(words: readonly ShellWord[], start: number): number {
  for (let index = start + 1; index < words.length; index++)
    if (SPLIT.test(words[index]?.text ?? '')) return index;
  return Infinity;
}

/** The first words that a command joins to a command line. */
function startsOfJoined(
  words: readonly ShellWord[],
  start: number,
  name: string,
  split: number,
): readonly number[] {
  if (name === 'eval') return [start + 1];
  if (JOINERS.has(name)) return possibleWrapped(words, start);
  return name === 'env' && split < Infinity ? [split] : [];
}

/** Words that may be command lines by themselves. */
export function linesIn(words: readonly ShellWord[]): readonly string[] {
  return words.map(({ text }) => text).filter((text) => /[\s;&|()<>`$]/.test(text));
}

/** A shell may have more options behind `-c`: the first other word is the command line. */
function valuesOfCommand(rest: readonly ShellWord[]): readonly string[] {
  const words = rest.map(({ text }) => text);
  const values = valuesOf(words, COMMAND_OPTION, /^(?:-c|--(?:session-)?command=)(.+)$/s);
  const option = words.findIndex((word) => COMMAND_OPTION.test(word));
  if (option < 0) return values;
  const behind = words.slice(option + 1);
  const end = behind.findIndex(
    (word, index) => !/^[-+]/.test(word) && !/^[-+][A-Za-z]*[oO]$/.test(behind[index - 1] ?? ''),
  );
  const line = behind[end];
  if (line === undefined) return values;
  const given = RUNS_ITS_ARGUMENTS.test(line) ? behind.slice(end + 1) : [];
  return [...values, line, ...given, given.join(' '), given.slice(1).join(' ')];
}

const COMMAND_OPTION = /^-[A-Za-z]*c[A-Za-z]*$|^--(?:session-)?command$/;
/** A parameter of the position as the name of a program, or behind a word that runs its arguments. */
const RUNS_ITS_ARGUMENTS =
  /(?:^|[;&|(){}`!\n]|(?<![\w/-])(?:then|do|else|exec|eval|command|env|time|nohup|sudo|xargs)\s)\s*"?\$\{?[@*\d]/;

/** The callback of `mapfile`, the command of a completion, and substitutions that are evaluated. */
function textsCalledBack(rest: readonly ShellWord[]): readonly string[] {
  const words = rest.map(({ text }) => text);
  return [...valuesOf(words, /^-[a-z]*C$/, /^-[a-z]*C(.+)$/s), ...quotedSubstitutionsIn(rest)];
}

/** For `x=TEXT`: the command line that a call of `x` runs. */
function programsNamed(rest: readonly ShellWord[]): readonly string[] {
  return rest.map(({ text }) => `${text.slice(text.indexOf('=') + 1)} "$@"`);
}

function quotedSubstitutionsIn(rest: readonly ShellWord[]): readonly string[] {
  return rest.flatMap(quotedSubstitutions);
}

/**
 * The substitutions in the quoted values of assignments: a program that evaluates the variable runs them. The value of
 * `PROMPT_COMMAND` is a command line.
 */
export function textsAssigned(words: readonly ShellWord[]): readonly string[] {
  const texts: string[] = [];
  for (const word of words) {
    const variable = assignedVariable(word);
    if (variable === undefined) continue;
    if (variable === 'PROMPT_COMMAND') texts.push(word.text.slice(word.text.indexOf('=') + 1));
    texts.push(...quotedSubstitutions(word));
  }
  return texts;
}

function quotedSubstitutions({ text, raw }: ShellWord): readonly string[] {
  return text !== raw && /[`]|\$\(/.test(text) ? substitutionsIn(text) : [];
}

/** The joined words as they are, and without their expansions; without the option of `env` that splits them. */
function textsOf(words: readonly ShellWord[]): readonly string[] {
  const texts = ['text', 'bare'] as const;
  const joined = texts.map((key) => words.map((word) => word[key] ?? word.text).join(' '));
  return [...new Set(joined)].map((text) => text.replace(SPLIT_OPTION, ''));
}

/** The values of options: the words behind those that match `alone`, and the match of `attached` in a word. */
function valuesOf(words: readonly string[], alone: RegExp, attached: RegExp): readonly string[] {
  return words.flatMap((word, index) => {
    const value = attached.exec(word)?.[1];
    return [
      ...(value === undefined ? [] : [value]),
      ...(index > 0 && alone.test(words[index - 1] ?? '') ? [word] : []),
    ];
  });
}
