import { decodeAnsiC } from './ansi-c.js';
import { isOpenName } from './open-name.js';
import type { FoundCommand, Segment } from './segments.js';
import type { ShellWord } from './shell-token.js';
import { linesIn } from './text-commands.js';
import { programOf } from './wrappers.js';

/** Programs that run their input. */
const READING: ReadonlySet<string> = new Set(
  'bash sh dash ash zsh ksh fish su runuser source .'.split(' '),
);
const SPEAKING: ReadonlySet<string> = new Set(['echo', 'printf']);
/** Most lists of words that are fed one by one. */
const MAX_FED = 16;

export type SegmentWithCommands = {
  readonly segment: Segment;
  readonly commands: readonly FoundCommand[];
};

/**
 * The command lines that a command line may give a shell as input, in a here-document or through a pipe. Any text may
 * get to any shell.
 */
export function textsFed(all: readonly SegmentWithCommands[]): readonly string[] {
  if (!runsItsInput(all)) return [];
  const said = all.some(({ segment }) => segment.isPiped) ? textsSaid(all) : [];
  return [...textsGiven(all), ...said];
}

function runsItsInput(all: readonly SegmentWithCommands[]): boolean {
  return all.some(({ commands }) => commands.some(readsCommands));
}

/** Whether a command of these runs what a process substitution among its words prints. */
export function runsProcess(all: readonly SegmentWithCommands[]): boolean {
  return all.some(
    ({ segment, commands }) =>
      segment.words.some(({ raw, isDynamic }) => raw === '' && isDynamic) &&
      commands.some(({ words, start }) => READING.has(programOf(words[start]))),
  );
}

/** The texts that commands may print, for a shell that reads them as a file: `. <(echo TEXT)`. */
export function textsPrinted(all: readonly SegmentWithCommands[]): readonly string[] {
  return [...textsGiven(all), ...textsSaid(all)];
}

/** The texts of here-documents and here-strings. */
function textsGiven(all: readonly SegmentWithCommands[]): readonly string[] {
  return all.flatMap(({ segment: { hereDocuments, redirects } }) => [
    ...hereDocuments.map(({ body }) => body),
    ...redirects.filter(({ operator }) => operator === '<<<').map(({ target }) => target.text),
  ]);
}

function textsSaid(all: readonly SegmentWithCommands[]): readonly string[] {
  return wordsSaid(all).flatMap(textsOf).flatMap(readingsOf);
}

/** The words of each `xargs`, with the words that the line may feed it. */
export function wordsFed(all: readonly SegmentWithCommands[]): readonly (readonly ShellWord[])[] {
  const fed = all.filter(
    ({ segment, commands }) =>
      segment.isPiped && commands.some((one) => programOf(one.words[one.start]) === 'xargs'),
  );
  if (fed.length === 0) return [];
  const said = wordsSaid(all).flat();
  return fed.slice(0, MAX_FED).map(({ segment }) => [...segment.words, ...said]);
}

function readsCommands({ words, start }: FoundCommand): boolean {
  const name = programOf(words[start]);
  if (name === 'xargs') return words.some(({ text }) => /^-(?:[a-zA-Z0-9]*[Ii]|-rep)/.test(text));
  return READING.has(name) || isOpenName(words[start]!);
}

/** The words that `echo` and `printf` print. */
function wordsSaid(all: readonly SegmentWithCommands[]): readonly (readonly ShellWord[])[] {
  return all.flatMap(({ commands }) => {
    const speaking = commands.find(({ words, start }) => SPEAKING.has(programOf(words[start])));
    return speaking === undefined ? [] : [speaking.words.slice(speaking.start + 1)];
  });
}

/** The text as written, with escapes decoded, and line by line, as `xargs` reads it. */
function readingsOf(text: string): readonly string[] {
  return [text, decodeAnsiC(text), ...(text.includes('\\\n') ? text.split('\n') : [])];
}

/** The joined words, the words behind a format, and each word that may be a command line by itself. */
function textsOf(words: readonly ShellWord[]): readonly string[] {
  const texts = words.map(({ text }) => text);
  return [texts.join(' '), texts.slice(1).join(' '), ...linesIn(words)];
}
