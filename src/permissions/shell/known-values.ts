import { assignedVariable, type FoundCommand } from './segments.js';
import type { ShellWord } from './shell-token.js';
import { programOf } from './wrappers.js';

/** Beyond this number of values for a word, they are not filled in. */
const MAX_VALUES = 64;

/** The values that a command line itself gives each variable, in an assignment or a loop. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

/** For rules that deny: the order of commands does not matter, nor do quotes. */
export function knownValues(commands: readonly FoundCommand[]): KnownValues {
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
      const variable = /^(?:for|select)$/.test(raw) ? words[index + 1] : undefined;
      if (variable !== undefined) learnAll(variable.text, words, index + 3);
      const printed = variableOfPrintf(words, index);
      if (printed !== undefined) learnAll(printed.variable, words, printed.behind);
    }
    for (const word of start === 0 ? words : words.slice(start)) {
      const assigned = assignedVariable(word);
      if (assigned !== undefined) learn(assigned, word.text.slice(word.text.indexOf('=') + 1));
    }
  }
  return values;
}

/** `printf -v x VALUE` */
function variableOfPrintf(
  words: readonly ShellWord[],
  start: number,
): { readonly variable: string; readonly behind: number } | undefined {
  const option = words[start + 1]?.text ?? '';
  if (programOf(words[start]) !== 'printf' || !option.startsWith('-v')) return undefined;
  const attached = option.slice(2);
  if (attached !== '') return { variable: attached, behind: start + 2 };
  return { variable: words[start + 2]?.text ?? '', behind: start + 3 };
}

/** Fill in the parameters with known values: every one of the values, or the word as it is. */
export function fillKnownValues(
  words: readonly ShellWord[],
  values: KnownValues,
): readonly ShellWord[] {
  if (values.size === 0) return words;
  return words.flatMap((word) => {
    const place = word.isDynamic ? /\$(?:(\w+)|\{(\w+)\})/.exec(word.text) : null;
    const known = values.get(place?.[1] ?? place?.[2] ?? '');
    if (place === null || known === undefined) return [word];
    const before = word.text.slice(0, place.index);
    const behind = word.text.slice(place.index + place[0].length);
    return known.map((value) => ({ ...word, text: before + value + behind }));
  });
}
