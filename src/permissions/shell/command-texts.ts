import { expandedTexts } from './expanded-texts.js';
import type { FoundCommand } from './found-commands.js';
import type { KnownValues } from './known-values.js';
import type { ShellWord } from './shell-token.js';

/** Commands that end alike: the text from each of `starts`, which ascend. Kept as one, since there may be thousands. */
export type CommandTexts = { readonly text: string; readonly starts: readonly number[] };

/** A text that is one command. */
export function aloneAsText(text: string): CommandTexts {
  return { text, starts: [0] };
}

/** The words joined, and where in that each of them begins. */
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
 * The spellings under which commands are matched by rules that deny or ask, each once.
 *
 * @param values those that the command line itself gives its variables
 */
export function spellings(
  commands: readonly FoundCommand[],
  values: KnownValues,
): readonly CommandTexts[] {
  const startsOf = new Map<readonly ShellWord[], number[]>();
  for (const { words, start } of commands) {
    const starts = startsOf.get(words);
    if (starts === undefined) startsOf.set(words, [start]);
    else starts.push(start);
  }
  const seen = new Set<string>();
  const texts: CommandTexts[] = [];
  for (const [words, starts] of startsOf) {
    for (const spelling of spellingsOf(
      words,
      starts.sort((a, b) => a - b),
      values,
    )) {
      const key = `${spelling.starts.join(' ')} ${spelling.text}`;
      if (seen.has(key)) continue;
      seen.add(key);
      texts.push(spelling);
    }
  }
  return texts;
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
  const text = words.map((word) => word.text);
  const isPlain = words.every((word) => word.text === word.raw);
  const plain = isPlain ? [spell(raw, starts)] : [spell(raw, starts), spell(text, starts)];
  const last = words.findLastIndex(({ isDynamic }) => isDynamic);
  const open = starts.filter((start) => start <= last);
  if (open.length === 0) return plain;
  return [
    ...plain,
    ...spellingsOfOpen(spell(text, open)),
    ...expandedTexts(words, open, values).map((all) => spellKept(all, open)),
  ];
}

/** Of commands that hold what is only known at run time. */
function spellingsOfOpen(written: CommandTexts): readonly CommandTexts[] {
  const separated = replaceIn(written, /\$\{?IFS\}?/g, ' ');
  return [
    ...separated.flatMap((texts) => replaceIn(texts, / {2,}/g, ' ')),
    ...replaceIn(written, /[{}]/g, '').flatMap((texts) => replaceIn(texts, /,/g, ' ')),
  ];
}

/** Words of which those that are empty vanish. */
function spellKept(words: readonly string[], of: readonly number[]): CommandTexts {
  const starts: number[] = [];
  let text = '';
  for (const word of words) {
    if (word !== '' && text !== '') text += ' ';
    starts.push(text.length);
    text += word;
  }
  return { text, starts: of.map((start) => starts[start] ?? 0) };
}

/**
 * The commands with every match replaced, as if each were replaced by itself. One that begins within a match of the whole is
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
