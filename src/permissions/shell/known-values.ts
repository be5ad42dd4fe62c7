import { assignedVariable, type FoundCommand } from './segments.js';
import type { ShellWord } from './shell-token.js';

/** What so many values would make of a word is not looked at one by one. */
const MAX_VALUES = 64;

/** By variable the values that a command line itself gives it, by assigning them or in a loop. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

/** For what denies: it does not matter which command is run when, nor whether quoted. */
export function knownValues(commands: readonly FoundCommand[]): KnownValues {
  const values = new Map<string, string[]>();
  const learn = (variable: string, value: string): void => {
    const all = values.get(variable) ?? [];
    if (all.length < MAX_VALUES && !all.includes(value)) values.set(variable, [...all, value]);
  };
  const learned = new Map<readonly ShellWord[], Map<string, number>>();
  /** From a word on, as far as that is not yet known of the same variable. */
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
    // what is left of a command without its wrappers has been seen with it
    const last = words.at(-1);
    if (last === undefined || seen.has(last)) continue;
    seen.add(last);
    for (const [index, { raw }] of words.entries()) {
      const variable = /^(?:for|select)$/.test(raw) ? words[index + 1] : undefined;
      if (variable !== undefined) learnAll(variable.text, words, index + 3);
    }
    for (const word of start === 0 ? words : words.slice(start)) {
      const assigned = assignedVariable(word);
      if (assigned !== undefined) learn(assigned, word.text.slice(word.text.indexOf('=') + 1));
    }
  }
  return values;
}

/** Words with the parameters filled in whose values are known: every one of them, or the word as it is. */
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
