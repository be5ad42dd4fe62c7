import { decodeAnsiC } from '../words/ansi-c.js';
import { isOpenName } from './open-name.js';
import type { FoundCommand, Segment } from '../words/segments.js';
import type { ShellWord } from '../words/shell-token.js';
import { linesIn } from './text-commands.js';
import { programOf } from '../words/wrappers.js';

/** Programs that run their input. */
const READING: ReadonlySet<string> = new Set(
  'bash sh dash ash zsh ksh fish su runuser source .'.split(' '),
);
const SPEAKING: ReadonlySet<string> = new Set(['echo', 'printf']);

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

/** The texts of here-documents and here-strings, as they are written and as a program reads them. */
export function textsGiven(all: readonly SegmentWithCommands[]): readonly string[] {
  return all.flatMap(({ segment: { hereDocuments, redirects } }) => [
    ...hereDocuments.flatMap(({ body }) => [...new Set([body, unescaped(body)])]),
    ...redirects.filter(({ operator }) => operator === '<<<').map(({ target }) => target.text),
  ]);
}

/** The text of a here-document whose delimiter has no quotes. */
function unescaped(body: string): string {
  return body.replace(/\\([\\$`\n])/g, (_, char: string) => (char === '\n' ? '' : char));
}

export function textsSaid(all: readonly SegmentWithCommands[]): readonly string[] {
  return wordsSaid(all).flatMap(textsOf).flatMap(readingsOf);
}

function readsCommands({ words, start }: FoundCommand): boolean {
  const name = programOf(words[start]);
  if (name === 'xargs')
    return words.some(
      ({ text }) => text.startsWith('-') && /^-(?:[a-zA-Z0-9]*[Ii]|-rep)/.test(text),
    );
  return READING.has(name) || isOpenName(words[start]!);
}

/** The words that `echo` and `printf` print. */
export function wordsSaid(all: readonly SegmentWithCommands[]): readonly (readonly ShellWord[])[] {
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
  return [texts.join(' '), texts.slice(1).join(' '), ...filledFormat(texts), ...linesIn(words)];
}

const PLACE = /%[-+ #0-9.*]*[a-zA-Z]/g;

/** The text that `printf` prints: the format is repeated as long as there are values. */
function filledFormat([format = '', ...values]: readonly string[]): readonly string[] {
  const places = format.match(PLACE)?.length ?? 0;
  if (places === 0) return [];
  let next = 0;
  let text = '';
  do text += format.replace(PLACE, () => values[next++] ?? '');
  while (next < values.length);
  return [text];
}
