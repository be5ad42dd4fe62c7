import { expandedTexts } from './expanded-texts.js';
import { printedText } from './fill-words.js';
import type { FoundCommand } from '../words/segments.js';
import type { KnownValues } from '../words/known-values.js';
import { isOpenName, patternOf, withoutSets } from './open-name.js';
import type { ShellWord } from '../words/shell-token.js';
import { mayOptionsSplit } from '../words/wrappers.js';

/**
 * Commands with the same end: the text from each of `starts`, in ascending order. They share one text, since there may
 * be thousands.
 */
export type CommandTexts = {
  readonly text: string;
  readonly starts: readonly number[];
  /** The names of their programs are patterns: `*` and `?` are unknown parts. */
  readonly areNamedByPatterns?: true;
};

/** A text that is one command. */
export function aloneAsText(text: string): CommandTexts {
  return { text, starts: [0] };
}

/** The joined words, and the index of each word in the joined text. */
export function joinWords(words: readonly string[], separator = ' '): CommandTexts {
  const starts: number[] = [];
  let end = 0;
  for (const word of words) {
    starts.push(end);
    end += word.length + separator.length;
  }
  return { text: words.join(separator), starts };
}

/**
 * The spellings of commands that rules that deny or ask match, each once.
 *
 * @param values the values that the command line itself gives its variables
 */
export function spellings(
  commands: readonly FoundCommand[],
  values: KnownValues,
): readonly CommandTexts[] {
  const startsOf = new Map<readonly ShellWord[], Set<number>>();
  for (const { words, start } of commands) {
    const starts = startsOf.get(words);
    if (starts === undefined) startsOf.set(words, new Set([start]));
    else starts.add(start);
  }
  const seen = new Set<string>();
  const texts: CommandTexts[] = [];
  const add = (spelling: CommandTexts): void => {
    const key = `${spelling.areNamedByPatterns} ${spelling.starts.join(' ')} ${spelling.text}`;
    if (seen.has(key)) return;
    seen.add(key);
    texts.push(spelling);
  };
  for (const [words, starts] of startsOf) {
    const ascending = starts.size === 1 ? [...starts] : [...starts].sort((a, b) => a - b);
    spellingsOf(words, ascending, values).forEach(add);
  }
  const all = [...values.values()].flat();
  if (commands.some(({ words, start }) => isOpenName(words[start]!)))
    textsOfValues(all).forEach(add);
  else if (commands.some(({ words, start }) => mayOptionsSplit(words, start)))
    textsOfValues(
      [...all, ...printedBy(startsOf.keys())].filter((value) => /\S\s+\S/.test(value)),
    ).forEach(add);
  return texts;
}

function printedBy(lists: Iterable<readonly ShellWord[]>): readonly string[] {
  return [...lists].flatMap((words) => words.flatMap((word) => printedText(word) ?? []));
}

/** The possible programs of an unknown name: any word of any value. */
function textsOfValues(values: readonly string[]): readonly CommandTexts[] {
  return values.map((value) => joinWords(value.trim().split(/\s+/)));
}

function spellingsOf(
  words: readonly ShellWord[],
  starts: readonly number[],
  values: KnownValues,
): readonly CommandTexts[] {
  const spell = (all: readonly string[], of: readonly number[]): CommandTexts => {
    const joined = joinWords(all);
    return { text: joined.text, starts: of.map((start) => joined.starts[start] ?? 0) };
  };
  const raw = words.map((word) => word.raw);
  const isPlain = words.every((word) => word.text === word.raw);
  const text = isPlain ? raw : words.map((word) => word.text);
  const plain = isPlain ? [spell(raw, starts)] : [spell(raw, starts), spell(text, starts)];
  const isOpen = (word: ShellWord): boolean => word.isDynamic || word.isGlob || word.isTilde;
  if (!words.some(isOpen)) return plain;
  const names = new Set(starts.map((start) => words[start]!).filter(isOpenName));
  const last = words.findLastIndex((word) => word.isDynamic || names.has(word));
  const open = starts.filter((start) => start <= last);
  if (open.length === 0) return plain;
  const isName = (start: number): boolean => names.has(words[start]!);
  const expanded = expandedTexts(words, names, values);
  const patterns = expanded
    .filter((all) => all.some((one, index) => isName(index) && /[*?[]/.test(one)))
    .map((all) => all.map((one, index) => (isName(index) ? withoutSets(one) : one)));
  const named = words.map((word) => (names.has(word) ? patternOf(word) : word.text));
  return [
    ...plain,
    ...spellingsOfOpen(spell(text, open)),
    ...expanded.map((all) => spellKept(all, open, isName)),
    ...[named, ...patterns].map((all) => ({
      ...spellKept(all, open.filter(isName), isName),
      areNamedByPatterns: true as const,
    })),
  ];
}

/** The spellings of commands with parts that are only known at run time. */
function spellingsOfOpen(written: CommandTexts): readonly CommandTexts[] {
  const separated = replaceIn(written, /\$\{?IFS\}?/g, ' ');
  return [
    ...separated.flatMap((texts) => replaceIn(texts, / {2,}/g, ' ')),
    ...replaceIn(written, /[{}]/g, '').flatMap((texts) => replaceIn(texts, /,/g, ' ')),
  ];
}

/** Join the words without the empty ones. If a name became several words, a command may begin at each of them. */
function spellKept(
  words: readonly string[],
  of: readonly number[],
  isName: (index: number) => boolean,
): CommandTexts {
  const offsets: number[] = [];
  let text = '';
  for (const word of words) {
    if (word !== '' && text !== '') text += ' ';
    offsets.push(text.length);
    text += word;
  }
  const starts: number[] = [];
  for (const index of of) {
    const offset = offsets[index] ?? 0;
    starts.push(offset);
    const word = isName(index) ? (words[index] ?? '') : '';
    for (let blank = word.indexOf(' '); blank >= 0; blank = word.indexOf(' ', blank + 1))
      starts.push(offset + blank + 1);
  }
  return { text, starts };
}

/**
 * The commands with every match replaced, each match by itself. A command that begins within a match of the whole is
 * spelled on its own.
 */
function replaceIn(
  { text, starts }: CommandTexts,
  pattern: RegExp,
  replacement: string,
): readonly CommandTexts[] {
  const moved: number[] = [];
  const alone: CommandTexts[] = [];
  let replaced = '';
  let from = 0;
  let next = 0;
  const moveUpTo = (limit: number): void => {
    for (let start = starts[next]; start !== undefined && start <= limit; start = starts[++next])
      moved.push(replaced.length + start - from);
  };
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    moveUpTo(match.index);
    for (let start = starts[next]; start !== undefined && start < end; start = starts[++next])
      alone.push(aloneAsText(text.slice(start).replace(pattern, replacement)));
    replaced += text.slice(from, match.index) + replacement;
    from = end;
  }
  moveUpTo(text.length);
  return [{ text: replaced + text.slice(from), starts: moved }, ...alone];
}
