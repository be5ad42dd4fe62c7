import { assignedVariable, type FoundCommand } from './segments.js';
import type { ShellRedirect, ShellWord } from './shell-token.js';
import { programOf } from './wrappers.js';

/** Beyond this number of values for a word, they are not filled in. */
const MAX_VALUES = 64;

/** The values that a command line itself gives each variable, in an assignment or a loop. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

/**
 * For rules that deny: the order of commands does not matter, nor do quotes.
 *
 * @param redirects the here-strings among them may be the values that `read` gets
 */
export function knownValues(
  commands: readonly FoundCommand[],
  redirects: readonly ShellRedirect[] = [],
): KnownValues {
  const values = new Map<string, string[]>();
  const learn = (variable: string, value: string): void => {
    const all = values.get(variable) ?? [];
    if (all.length < MAX_VALUES && !all.includes(value)) values.set(variable, [...all, value]);
  };
  const learned = new Map<readonly ShellWord[], Map<string, number>>();
  /** Learn the words from `start` on, unless the same variable has them already. */
  const learnAll = (variable: string, words: readonly ShellWord[], start: number): void => {
    const firsts = learned.get(words) ?? new Map<string, number>();
    learned.set(words, firsts);
    const end = firsts.get(variable) ?? words.length;
    for (let index = start; index < end; index++) {
      if ((values.get(variable)?.length ?? 0) >= MAX_VALUES) break;
      learn(variable, words[index]?.text ?? '');
    }
    firsts.set(variable, Math.min(start, end));
  };
  const seen = new Set<ShellWord>();
  for (const { words, start } of commands) {
    // the command without its wrappers ends in the same word
    const last = words.at(-1);
    if (last === undefined || seen.has(last)) continue;
    seen.add(last);
    for (const [index, { raw }] of words.entries()) {
      const variable = raw === 'for' || raw === 'select' ? words[index + 1] : undefined;
      if (variable !== undefined) learnAll(variable.text, words, index + 3);
      const printed = variableOfPrintf(words, index);
      if (printed !== undefined) learnAll(printed.variable, words, printed.behind);
      const first = firstPosition(words, index);
      if (first !== undefined) {
        for (const [position, { text }] of words.slice(first, first + 10).entries())
          learn(String(position), text);
        for (const all of ['@', '*']) learnAll(all, words, first);
      }
    }
    for (const word of start === 0 ? words : words.slice(start)) {
      const assigned = assignedVariable(word);
      if (assigned !== undefined) learn(assigned, word.text.slice(word.text.indexOf('=') + 1));
    }
  }
  const read = commands.flatMap(variablesRead);
  if (read.length > 0) {
    const inputs = inputsOf(commands, redirects);
    for (const variable of new Set(read)) for (const input of inputs) learn(variable, input);
  }
  return values;
}

const READERS = new Set(['read', 'mapfile', 'readarray']);

/** The variables that `read` and `mapfile` set. */
function variablesRead({ words, start }: FoundCommand): readonly string[] {
  if (!READERS.has(programOf(words[start]))) return [];
  const names = words.slice(start + 1).filter(({ text }) => /^[A-Za-z_]\w*$/.test(text));
  return names.length === 0 ? ['REPLY', 'MAPFILE'] : names.map(({ text }) => text);
}

/** The words that a line prints, and those of its here-strings. */
function inputsOf(
  commands: readonly FoundCommand[],
  redirects: readonly ShellRedirect[],
): readonly string[] {
  const given = redirects.filter(({ operator }) => operator === '<<<').map(({ target }) => target);
  const printed = commands
    .filter(({ words, start }) => /^(?:echo|printf)$/.test(programOf(words[start])))
    .flatMap(({ words, start }) => words.slice(start + 1, start + 1 + MAX_VALUES));
  return [...given, ...printed.slice(0, MAX_VALUES)].flatMap(({ text }) => text.split(/\s+/));
}

/** `sh -c TEXT A B`: the index of `A`, which is `$0`. */
function firstPosition(words: readonly ShellWord[], start: number): number | undefined {
  const program = words[start];
  const isShell = (program?.bare ?? program?.text)?.endsWith('sh') === true;
  if (!isShell || !/^(?:ba|da|a|z|k)?sh$/.test(programOf(program))) return undefined;
  const option = words.findIndex(
    ({ text }, index) => index > start && index < start + 8 && /^-[A-Za-z]*c[A-Za-z]*$/.test(text),
  );
  const line = words.findIndex(
    ({ text }, index) => option > 0 && index > option && index < option + 8 && !/^[-+]/.test(text),
  );
  return line < 0 ? undefined : line + 1;
}

/** `printf -v x VALUE` */
function variableOfPrintf(
  words: readonly ShellWord[],
  start: number,
): { readonly variable: string; readonly behind: number } | undefined {
  const option = words[start + 1]?.text ?? '';
  if (!option.startsWith('-v') || programOf(words[start]) !== 'printf') return undefined;
  const attached = option.slice(2);
  if (attached !== '') return { variable: attached, behind: start + 2 };
  return { variable: words[start + 2]?.text ?? '', behind: start + 3 };
}

const PARAMETER = /\$(?:([A-Za-z_]\w*|[\d@*])|\{(\w+|[@*])(?:\[[@*\w]\])?\})/;

/** Fill in the parameters with known values: every one of the values, or the word as it is. */
export function fillKnownValues(
  words: readonly ShellWord[],
  values: KnownValues,
): readonly ShellWord[] {
  if (values.size === 0) return words;
  return words.flatMap((word) => {
    const place = word.isDynamic ? PARAMETER.exec(word.text) : null;
    const known = values.get(place?.[1] ?? place?.[2] ?? '');
    if (place === null || known === undefined) return [word];
    const before = word.text.slice(0, place.index);
    const behind = word.text.slice(place.index + place[0].length);
    return known.map((value) => {
      const text = before + value + behind;
      return { ...word, text, isTilde: text.startsWith('~') };
    });
  });
}
