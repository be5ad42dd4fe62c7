import { textsGiven, textsSaid, wordsSaid, type SegmentWithCommands } from './fed-texts.js';
import type { ShellWord } from '../words/shell-token.js';
import { programOf } from '../words/wrappers.js';

/** Programs that add the words of their input to a command. */
const FED: ReadonlySet<string> = new Set(['xargs', 'parallel']);
/** Most lists of words that are fed one by one. Beyond that each word of an input counts as a command. */
const MAX_FED = 16;
/** Any words of the input, in any number: a command may begin with each word behind it. */
const ANY: ShellWord = {
  type: 'word',
  start: 0,
  end: 0,
  raw: '$@',
  text: '$@',
  bare: '',
  isDynamic: true,
  isGlob: false,
  isTilde: false,
};

/** Whether a command of these runs the words of its input. */
export function runsWords(all: readonly SegmentWithCommands[]): boolean {
  return all.some(isFed);
}

/**
 * The words of each `xargs` and `parallel`, with the words that the line may feed it; undefined if there are too many.
 *
 * @param printed the texts that process substitutions may print
 */
export function wordsFed(
  all: readonly SegmentWithCommands[],
  printed: readonly string[],
): readonly (readonly ShellWord[])[] | undefined {
  const fed = all.filter(isFed);
  if (fed.length > MAX_FED) return undefined;
  const isPiped = all.some(({ segment }) => segment.isPiped);
  const said = isPiped ? wordsSaid(all).flat() : [];
  const texts = [...textsGiven(all), ...(isPiped ? textsSaid(all) : []), ...printed];
  return fed.flatMap((one) => {
    const { words } = one.segment;
    const end = words.findIndex(({ text }) => text.startsWith(':::'));
    const mark = markOf(words.map(({ text }) => text));
    const own = words.slice(startOfOwn(one), end < 0 ? words.length : end);
    const listed = end < 0 ? [] : words.slice(end + 1);
    const input = [...texts, ...listed.map(({ text }) => text)];
    const lists = [said, listed, ...readingsOf(input.join('\n'))].filter(
      ({ length }) => length > 0,
    );
    return [
      ...(said.length > 0 ? [[...words, ...said]] : []),
      ...lists.map((list) => [...own, ANY, ...list]),
      ...replaced(own, mark, lists),
    ];
  });
}

function isFed({ commands }: SegmentWithCommands): boolean {
  return commands.some(({ words, start }) => FED.has(programOf(words[start])));
}

const OPTION =
  /^-(?:[0rtxpo]+|[0rtxpo]*(?:[InPLsdEa].+|[il].*)|-[a-z-]+=.*|-null|-no-run-if-empty)$/s;
const OPTION_WITH_VALUE = /^-[0rtxpo]*[InPLsdEa]$/;

/** The index of the command behind the options of `xargs`; of all the words if it is not clear. */
function startOfOwn({ segment: { words }, commands }: SegmentWithCommands): number {
  const name = words.findIndex((word) => programOf(word) === 'xargs');
  if (!commands.some(({ start }) => start === name)) return 0;
  for (let index = name + 1; index < words.length; index++) {
    const { text = '', isDynamic = false } = words[index] ?? {};
    if (OPTION_WITH_VALUE.test(text)) index++;
    else if (isDynamic || !OPTION.test(text)) return isDynamic || text.startsWith('-') ? 0 : index;
  }
  return 0;
}

/** The words with the input in place of what stands for it: `-I{}`. */
function replaced(
  own: readonly ShellWord[],
  mark: string,
  lists: readonly (readonly ShellWord[])[],
): readonly (readonly ShellWord[])[] {
  const at = own.findLastIndex(({ text }) => text.includes(mark));
  if (at < 0) return [];
  const parts = lists.flat().slice(0, MAX_FED);
  return [
    ...lists.map((list) => [...own.slice(0, at), ANY, ...list, ...own.slice(at + 1)]),
    ...parts.map((part) => own.map((word) => withPart(word, mark, part.text))),
  ];
}

function withPart(word: ShellWord, mark: string, part: string): ShellWord {
  return word.text.includes(mark) ? literal(word.text.replaceAll(mark, part)) : word;
}

/** The text that stands for the input. */
function markOf(texts: readonly string[]): string {
  for (const [index, text] of texts.entries()) {
    const given = /^(?:-[a-zA-Z0-9]*I|--replace=|-i)(.*)$/s.exec(text)?.[1];
    if (given !== undefined && given !== '') return given;
    if (given === '' && text.endsWith('I')) return texts[index + 1] || '{}';
  }
  return '{}';
}

/** A text as `xargs` reads it, with and without its expansions. */
function readingsOf(text: string): readonly (readonly ShellWord[])[] {
  const bare = text.replace(EXPANSION, '');
  return [wordsOfInput(text), ...(bare === text ? [] : [wordsOfInput(bare)])];
}

const EXPANSION = /\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$(?:\w+|[@*#?$!-])/g;
/** A quote that does not close on its line is a plain character. */
const INPUT_WORD = /(?:'[^'\n]*'|"[^"\n]*"|\\[^]|[^\s\\])+/g;

/** `xargs` splits at blanks and removes quotes and backslashes. */
function wordsOfInput(text: string): readonly ShellWord[] {
  return [...text.matchAll(INPUT_WORD)].map(([word]) =>
    literal(
      word.replace(
        /'([^'\n]*)'|"([^"\n]*)"|\\([^])/g,
        (_, single?: string, double?: string, escaped?: string) =>
          single ?? double ?? escaped ?? '',
      ),
    ),
  );
}

function literal(text: string): ShellWord {
  const raw = /^[\w./=:@%+,-]+$/.test(text) ? text : `'${text}'`;
  const isDynamic = /[$`]/.test(text);
  return {
    type: 'word',
    start: 0,
    end: 0,
    raw: isDynamic ? text : raw,
    text,
    isDynamic,
    ...(isDynamic ? { bare: text.replace(EXPANSION, '') } : {}),
    isGlob: false,
    isTilde: text.startsWith('~'),
  };
}
