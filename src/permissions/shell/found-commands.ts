import { withoutContinuations } from './continuation.js';
import { mayVanish } from './may-vanish.js';
import { assignedVariable, toSegments } from './segments.js';
import type { ShellRedirect, ShellTokens, ShellWord } from './shell-token.js';
import { commandsOfFind, textsAssigned, textsRunBy } from './text-commands.js';
import { tokenise } from './tokenise.js';
import { possibleWrapped } from './wrappers.js';

/**
 * A command found anywhere in a command line: what stands from one of these words on. A chain of wrappers holds thousands,
 * so none of them has a list of its own.
 */
export type FoundCommand = {
  readonly words: readonly ShellWord[];
  readonly start: number;
};

export type Found = {
  readonly commands: readonly FoundCommand[];
  readonly redirects: readonly ShellRedirect[];
};

const KEYWORDS = new Set(
  'if then else elif do while until ! coproc function { } case in for select'.split(' '),
);

/** Of those, the ones with a name behind them. */
const NAMING = new Set('function coproc for select'.split(' '));

/** Of one command that may begin another anywhere: behind a name they always do. */
const MAX_BRACES = 16;

/** Of one list of words that are read anew as command lines. */
const MAX_TEXTS = 16;

/** Deeper than this each piece between separators counts as a command: reading every level anew would take too long. */
const MAX_DEPTH = 20;
const SEPARATORS = /[;&|\n(){}`"'$<>\\]+/;
/** The same for pieces that keep their quotes. */
const OPERATORS = /[;&|\n()`]+/;
/** What may hold a parenthesis that ends nothing. */
const CASE = /(?:^|[\s;&|({])case\s/;

/**
 * Every command that a source may run, however deep and whether or not the rest is understood: in substitutions,
 * groups, control structures, functions, behind assignments and wrappers. It finds rather more than there is.
 */
export function findCommands(source: string, tokens: ShellTokens): Found {
  const commands: FoundCommand[] = [];
  const redirects: ShellRedirect[] = [];
  const seen = new Set([source]);
  const pending: { readonly tokens: ShellTokens; readonly depth: number }[] = [
    { tokens, depth: 0 },
  ];
  let holdsCase = false;
  const visit = (text: string, depth: number): void => {
    if (seen.has(text)) return;
    seen.add(text);
    if (depth <= MAX_DEPTH) pending.push({ tokens: tokenise(text), depth });
    else visitPieces(text);
  };
  const visitPieces = (text: string): void => {
    for (const separators of [SEPARATORS, OPERATORS]) text.split(separators).forEach(visitPiece);
  };
  const visitPiece = (piece: string): void => {
    if (seen.has(piece)) return;
    seen.add(piece);
    pending.push({ tokens: tokenise(piece), depth: MAX_DEPTH });
  };
  if (tokens.problem?.endsWith('does not close') === true)
    visit(source.replace(/['"`\\]/g, ' '), 1);
  readPending();
  // the parenthesis of a pattern ends a substitution too early
  if (holdsCase) visitPieces(withoutContinuations(source));
  readPending();
  return { commands, redirects };

  function readPending(): void {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const segment of toSegments(next.tokens.tokens)) {
        redirects.push(...segment.redirects);
        const found = commandsIn(segment.words);
        commands.push(...found);
        // what the first of them joins to a text holds the others
        const texts = found
          .flatMap(({ words, start }) => textsRunBy(words, start))
          .slice(0, MAX_TEXTS);
        for (const text of [...texts, ...textsAssigned(segment.words)]) visit(text, next.depth + 1);
      }
      for (const text of next.tokens.nested) {
        visit(text, next.depth + 1);
        holdsCase ||= CASE.test(withoutContinuations(text));
      }
    }
  }
}

/** The command that words are, and what is left of it without keywords, assignments and wrappers. */
export function commandsIn(words: readonly ShellWord[]): readonly FoundCommand[] {
  const found: FoundCommand[] = [];
  const seen = new Set<number>();
  const pending = words.flatMap((word, index) =>
    index > 0 && word.raw === '{' ? [index + 1] : [],
  );
  pending.splice(MAX_BRACES);
  pending.push(0);
  for (let start = pending.pop(); start !== undefined; start = pending.pop()) {
    if (start >= words.length || seen.has(start)) continue;
    seen.add(start);
    found.push({ words, start });
    if (isNamed(words, start)) pending.push(start + 2);
    const behindKeywords = skip(words, start, (word) => KEYWORDS.has(word.raw));
    const behind =
      behindKeywords > start
        ? behindKeywords
        : skip(words, start, (word) => assignedVariable(word) !== undefined);
    if (behind > start) pending.push(behind);
    else if (mayVanish(words[start]!))
      pending.push(start + 1); // there is a word
    else pending.push(...possibleWrapped(words, start), ...commandsOfFind(words, start));
  }
  return found;
}

/** `function f { …`, `for x do …`: the command begins behind the name of something else. */
function isNamed(words: readonly ShellWord[], start: number): boolean {
  if (!NAMING.has(words[start - 1]?.raw ?? '')) return false;
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
