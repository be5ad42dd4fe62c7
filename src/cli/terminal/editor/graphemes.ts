/** Positions in a text, in code units. A cursor never stands within a character that a person sees as one. */
import { charactersOf } from '../../output/characters.js';

/** The end of the character that begins at a position. */
export function nextCharacter(text: string, at: number): number {
  const rest = text.slice(at, at + MOST_UNITS);
  const [first] = charactersOf(rest);
  return at + (first?.segment.length ?? 0);
}

/** The beginning of the character that ends at a position. */
export function previousCharacter(text: string, at: number): number {
  const from = text.lastIndexOf('\n', at - 2) + 1;
  const last = [...charactersOf(text.slice(from, at))].at(-1);
  return at - (last?.segment.length ?? 0);
}

export function nextWord(text: string, at: number): number {
  return at + (/^[^\p{L}\p{N}]*[\p{L}\p{N}\p{M}]*/u.exec(text.slice(at))?.[0].length ?? 0);
}

export function previousWord(text: string, at: number): number {
  return at - (/[\p{L}\p{N}\p{M}]*[^\p{L}\p{N}]*$/u.exec(text.slice(0, at))?.[0].length ?? 0);
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** An emoji family has 11 code units; more marks on one character are cut. */
const MOST_UNITS = 64;
