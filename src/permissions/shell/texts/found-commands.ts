import { unquoted } from '../words/ansi-c.js';
import { withoutContinuations } from '../words/continuation.js';
import { choicesOfBraces } from '../words/expand-braces.js';
import { runsProcess, textsFed, textsPrinted, type SegmentWithCommands } from './fed-texts.js';
import { runsWords, wordsFed } from './fed-words.js';
import { joinLines } from '../words/join-lines.js';
import { isOpenName } from './open-name.js';
import { assignedVariable, toSegments, type FoundCommand } from '../words/segments.js';
import type { ShellRedirect, ShellTokens, ShellWord } from '../words/shell-token.js';
import { textsAssigned, textsRunBy } from './text-commands.js';
import { tokenise } from '../tokens/tokenise.js';
import { commandsOfFind, possibleWrapped } from '../words/wrappers.js';

export type Found = {
  readonly commands: readonly FoundCommand[];
  readonly redirects: readonly ShellRedirect[];
  /** The commands and redirects of substitutions and of texts that a shell gets, and commands with words of an input. */
  readonly within: Pick<Found, 'commands' | 'redirects'>;
};

const KEYWORDS = new Set(
  'if then else elif do while until ! coproc function { } case in for select'.split(' '),
);

/** The reserved words in front of a name. */
const NAMING = new Set('function coproc for select'.split(' '));

/** Most words that the braces of a line become. */
const MAX_CHOICES = 2_000;

/** Most commands that may begin anywhere within one command. Behind a name they always may. */
const MAX_BRACES = 16;

/**
 * Beyond this depth each piece between separators counts as a command: another pass for every level would take too
 * long.
 */
const MAX_DEPTH = 20;
/** The limit for pieces that keep their quotes. */
const MAX_DEPTH_OF_PIECES = 24;
/** The limit for what substitutions feed to a command. */
const MAX_DEPTH_OF_FED = 4;
const SEPARATORS = /[;&|\n(){}`"'$<>\\]+/;
const BLANKS_AND_SEPARATORS = /[\s;&|(){}`"'$<>\\]+/;
/** Separators that leave a piece its quotes. */
const OPERATORS = /[;&|\n()`]+/;
/** A `case` may hold a parenthesis that ends nothing. */
const CASE = /(?:^|[\s;&|({])case\s/;

/**
 * Find every command that a source may run, at any depth, whether the rest is understood or not: in substitutions,
 * groups, control structures, functions, behind assignments and wrappers. The result may hold too many commands.
 */
export function findCommands(source: string, tokens: ShellTokens): Found {
  const commands: FoundCommand[] = [];
  const redirects: ShellRedirect[] = [];
  const within = { commands: [] as FoundCommand[], redirects: [] as ShellRedirect[] };
  const lists: { readonly words: readonly ShellWord[]; readonly depth: number }[] = [];
  const sources = createSources(source, tokens);
  let holdsCase = false;
  let choicesLeft = MAX_CHOICES;

  readSources();
  // the parenthesis of a pattern ends a substitution too early
  if (holdsCase) sources.addPieces(withoutContinuations(source));
  readSources();
  readDefined();
  return { commands, redirects, within };

  function readSources(): void {
    for (let next = sources.take(); next !== undefined; next = sources.take()) {
      const depth = next.depth + 1;
      const all = toSegments(next.tokens.tokens).map((segment) => {
        redirects.push(...segment.redirects);
        if (next.depth > 0) within.redirects.push(...segment.redirects);
        lists.push({ words: segment.words, depth });
        return { segment, commands: readWords(segment.words, depth, isOpenName) };
      });
      if (runsWords(all)) readFed(all, next.tokens.nested, depth);
      for (const text of textsFed(all)) sources.add(text, depth);
      const isRun = runsProcess(all);
      for (const text of next.tokens.nested) {
        sources.add(text, depth);
        if (isRun) for (const line of printedBy(text)) sources.add(line, depth);
        holdsCase ||= CASE.test(withoutContinuations(text));
      }
    }
  }

  /** The words of an input may be commands. Deep in a line each of them counts as one. */
  function readFed(
    all: readonly SegmentWithCommands[],
    nested: readonly string[],
    depth: number,
  ): void {
    const printed = depth > MAX_DEPTH_OF_FED ? [] : nested.flatMap(printedBy);
    const fed = depth > MAX_DEPTH_OF_FED ? undefined : wordsFed(all, printed);
    if (fed === undefined)
      for (const text of [...textsPrinted(all), ...printed]) sources.addWords(text);
    else for (const words of fed) readWords(words, depth, isOpenName, true);
  }

  function readWords(
    words: readonly ShellWord[],
    depth: number,
    isUnknown: (program: ShellWord) => boolean,
    isWithin = depth > 1,
  ): readonly FoundCommand[] {
    const expanded = withoutBraces(words, choicesLeft);
    choicesLeft -= expanded.length - words.length;
    if (expanded !== words) readList(expanded, depth, isUnknown, isWithin);
    return readList(words, depth, isUnknown, isWithin);
  }

  function readList(
    words: readonly ShellWord[],
    depth: number,
    isUnknown: (program: ShellWord) => boolean,
    isWithin: boolean,
  ): readonly FoundCommand[] {
    const found = commandsIn(words, isUnknown);
    for (const command of found) {
      commands.push(command);
      if (isWithin) within.commands.push(command);
    }
    for (const text of [...textsRunBy(found, isUnknown), ...textsAssigned(words)])
      sources.add(text, depth);
    return found;
  }

  /** A name that the line defines may run its arguments, if anything in the line runs its arguments. */
  function readDefined(): void {
    if (!commands.some(({ words, start }) => isOpenName(words[start]!))) return;
    const names = namesDefined(source);
    const isUnknown = (word: ShellWord): boolean => names.has(word.text) || isOpenName(word);
    for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
      if (list.words.some(({ text }) => names.has(text)))
        readWords(list.words, list.depth, isUnknown);
      readSources();
    }
  }
}

/** The words with braces expanded, as long as the limit allows it; the same list if there are none. */
function withoutBraces(words: readonly ShellWord[], most: number): readonly ShellWord[] {
  if (!words.some(({ hasBrace }) => hasBrace)) return words;
  const expanded: ShellWord[] = [];
  for (const word of words) {
    const left = most + words.length - expanded.length;
    const choices = word.hasBrace === true && left > 1 ? choicesOfBraces(word, left) : undefined;
    if (choices?.areAll !== true || choices.texts[0] === word.text) expanded.push(word);
    else
      for (const text of choices.texts)
        expanded.push({ ...word, raw: text, text, isDynamic: /[$`]|\.\./.test(text) });
  }
  return expanded.length === words.length && expanded.every((word, index) => word === words[index])
    ? words
    : expanded;
}

/** The texts that a substitution may print. */
function printedBy(text: string): readonly string[] {
  const segments = toSegments(tokenise(text).tokens);
  return textsPrinted(
    segments.map((segment) => ({ segment, commands: commandsIn(segment.words) })),
  );
}

type Source = { readonly tokens: ShellTokens; readonly depth: number };

/** The sources to read as command lines, each text once. */
function createSources(source: string, tokens: ShellTokens) {
  const seen = new Set([source]);
  const pending: Source[] = [{ tokens, depth: 0 }];
  const split = new Set<string>();
  const add = (text: string, depth: number): void => {
    if (depth > MAX_DEPTH) addPieces(text, depth);
    else push(text, depth);
  };
  const addPieces = (text: string, depth = MAX_DEPTH): void => {
    if (split.has(text)) return;
    split.add(text);
    for (const piece of text.split(SEPARATORS)) push(piece, depth);
    if (depth <= MAX_DEPTH_OF_PIECES) for (const piece of text.split(OPERATORS)) push(piece, depth);
  };
  const push = (text: string, depth: number): void => {
    if (seen.has(text)) return;
    seen.add(text);
    pending.push({ tokens: tokenise(text), depth });
    for (const joined of joinedReadings(text)) push(joined, depth);
  };
  for (const joined of joinedReadings(source)) push(joined, 0);
  if (tokens.problem?.endsWith('does not close') === true) add(source.replace(/['"`\\]/g, ' '), 1);
  const addWords = (text: string): void => {
    addPieces(text);
    for (const word of text.split(BLANKS_AND_SEPARATORS)) push(word, MAX_DEPTH);
  };
  return { add, addPieces, addWords, take: () => pending.pop() };
}

const COMMENT = /(?<![^\s;&|()])#[^\n]*/g;

/** The text with its lines joined before anything is read; a `#` may begin a comment or not. */
function joinedReadings(text: string): readonly string[] {
  if (!text.includes('\\\n')) return [];
  return [joinLines(text), joinLines(text.replace(COMMENT, '')), withoutContinuations(text)];
}

const DEFINITION =
  /(?<![^\s;&|(){}<>$=`])([^\s;&|(){}<>$=`]+)\s*\(\s*\)|\bfunction\s+([^\s;&|(){}<>]+)/g;
const NAMING_BUILTIN = /\b(?:alias|hash)\s([^;&|\n]*)/g;

/** Functions, aliases, and names that are given a program: a command with such a name may run anything. */
function namesDefined(source: string): ReadonlySet<string> {
  const text = unquoted(withoutContinuations(source));
  const functions = [...text.matchAll(DEFINITION)].map(([, name, other]) => name ?? other ?? '');
  const named = [...text.matchAll(NAMING_BUILTIN)].flatMap(([, words = '']) =>
    words.split(/[\s=]+/),
  );
  return new Set(['set', ...functions, ...named]);
}

/**
 * The commands in a list of words, with and without keywords, assignments and wrappers.
 *
 * @param isUnknown whether a word may be any program: then a command may begin with each word behind it
 */
export function commandsIn(
  words: readonly ShellWord[],
  isUnknown: (program: ShellWord) => boolean = isOpenName,
): readonly FoundCommand[] {
  const found: FoundCommand[] = [];
  const seen = new Set<number>();
  const pending: number[] = [];
  for (let index = 1; index < words.length && pending.length < MAX_BRACES; index++)
    if (words[index]?.raw === '{') pending.push(index + 1);
  pending.push(0);
  let unknownFrom = words.length;
  let findFrom = words.length;
  for (let start = pending.pop(); start !== undefined; start = pending.pop()) {
    const program = words[start];
    if (program === undefined || seen.has(start)) continue;
    seen.add(start);
    found.push({ words, start });
    if (isNamed(words, start)) pending.push(start + 2);
    const behind = behindKeywords(words, start) ?? behindAssignments(words, start);
    if (behind !== undefined) {
      if (!isData(words, behind)) pending.push(behind);
    } else if (isUnknown(program)) {
      for (let next = unknownFrom - 1; next > start; next--) pending.push(next);
      unknownFrom = Math.min(unknownFrom, start + 1);
    } else {
      pending.push(...possibleWrapped(words, start));
      const ofFind = start < findFrom ? commandsOfFind(words, start) : [];
      if (ofFind.length > 0) findFrom = start;
      pending.push(...ofFind);
    }
  }
  return found;
}

/** `case $x in …`, `in $x …`: the word there names no program. */
function isData(words: readonly ShellWord[], index: number): boolean {
  const word = words[index];
  return (
    word !== undefined && isOpenName(word) && /^(?:case|in)$/.test(words[index - 1]?.raw ?? '')
  );
}

function behindKeywords(words: readonly ShellWord[], start: number): number | undefined {
  const behind = skip(words, start, (word) => KEYWORDS.has(word.raw));
  return behind > start ? behind : undefined;
}

function behindAssignments(words: readonly ShellWord[], start: number): number | undefined {
  const behind = skip(words, start, (word) => assignedVariable(word) !== undefined);
  return behind > start ? behind : undefined;
}

/** `function f { …`, `for x do …`: the command begins behind the name of a function or a variable. */
function isNamed(words: readonly ShellWord[], start: number): boolean {
  if (start === 0 || !NAMING.has(words[start - 1]?.raw ?? '')) return false;
  const { raw } = words[start + 1] ?? {};
  return raw === '{' || raw === 'do';
}

function skip(
  words: readonly ShellWord[],
  start: number,
  isSkipped: (word: ShellWord) => boolean,
): number {
  let index = start;
  for (let word = words[index]; word !== undefined && isSkipped(word); word = words[index]) index++;
  return index;
}
