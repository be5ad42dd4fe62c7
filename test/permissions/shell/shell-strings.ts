import { readFileSync } from 'node:fs';
import fc from 'fast-check';

type Vocabulary = Readonly<
  Record<'pieces' | 'words' | 'dynamicWords' | 'prefixes' | 'names' | 'suffixes', string[]>
>;

/** Strings that shells, and readers of shells, have been known to read differently. */
const { pieces, words, dynamicWords, prefixes, names, suffixes } = JSON.parse(
  readFileSync(new URL('../../fixtures/permissions/shell-pieces.json', import.meta.url), 'utf8'),
) as Vocabulary; // written for this generator

const NOTHING = Array.from({ length: 12 }, () => '');
const SEPARATORS = [' && ', ' || ', '; ', '\n', ' | ', ' & ', ' |& ', '|', '&&\n'];

const { command } = fc.letrec<{ word: string; simple: string; command: string; list: string }>(
  (tie) => {
    const two = fc.tuple(tie('list'), tie('list'));
    const wordAndList = fc.tuple(tie('word'), tie('list'));
    return {
      word: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...words) },
        { weight: 1, arbitrary: fc.constantFrom(...dynamicWords) },
      ),
      simple: fc
        .tuple(
          fc.constantFrom(...NOTHING, ...prefixes),
          fc.constantFrom(...names),
          fc.array(tie('word'), { maxLength: 3 }),
          fc.constantFrom(...NOTHING, ...suffixes),
        )
        .map(([prefix, name, rest, suffix]) => `${prefix}${[name, ...rest].join(' ')}${suffix}`),
      command: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        { weight: 6, arbitrary: tie('simple') },
        { weight: 1, arbitrary: tie('list').map((list) => `(${list}\n)`) },
        { weight: 1, arbitrary: tie('list').map((list) => `( ${list}\n)`) },
        { weight: 2, arbitrary: tie('list').map((list) => `{ ${list}\n}`) },
        { weight: 1, arbitrary: tie('command').map((one) => `! ${one}`) },
        { weight: 1, arbitrary: two.map(([a, b]) => `if ${a}\nthen ${b}\nfi`) },
        { weight: 1, arbitrary: two.map(([a, b]) => `while ${a}\ndo ${b}\ndone`) },
        { weight: 1, arbitrary: wordAndList.map(([a, b]) => `for i in ${a} b; do ${b}\ndone`) },
        {
          weight: 1,
          arbitrary: wordAndList.map(([a, b]) => `case ${a} in a|b*) ${b}\n;; *) ls;; esac`),
        },
        { weight: 1, arbitrary: tie('list').map((list) => `f() { ${list}\n}`) },
      ),
      list: fc
        .array(fc.tuple(fc.constantFrom(...SEPARATORS), tie('command')), {
          minLength: 1,
          maxLength: 3,
        })
        .map((parts) =>
          parts.map(([separator, one], index) => (index === 0 ? one : separator + one)).join(''),
        ),
    };
  },
);

const soup = fc
  .array(fc.constantFrom(...pieces), { maxLength: 14 })
  .map((chosen) => chosen.join(''));

/** A piece put somewhere into a command line that was good, or some of it taken out. */
const damaged = fc
  .tuple(command, fc.constantFrom(...pieces), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2))
  .map(([text, piece, at, cut]) => {
    const index = Math.floor(at * text.length);
    return text.slice(0, index) + piece + text.slice(index + cut);
  });

/** Command lines, good and bad, that lean towards what shells are hard to read by. */
export const shellStrings: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: command },
  { weight: 4, arbitrary: damaged },
  { weight: 1, arbitrary: soup },
);
