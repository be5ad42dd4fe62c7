import { firstChars } from './first-chars.js';

/** A name and a text about it. */
export type NamedText = { readonly name: string; readonly text: string };

/** With fewer characters a text says nothing. */
const LEAST_TEXT = 20;
/** `- `, `: ` and the end of the line. */
const FRAME_CHARS = 5;

/**
 * List names with their texts, one a line, by name. If they need more than `budget` characters, the longest texts are
 * cut first. All names stay.
 */
export function listNames(entries: readonly NamedText[], budget: number): readonly string[] {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const frame = sorted.reduce((sum, { name }) => sum + name.length + FRAME_CHARS, 0);
  const most = longestText(
    sorted.map(({ text }) => text.length),
    budget - frame,
  );
  return sorted.map(({ name, text }) =>
    text === '' || (most < LEAST_TEXT && text.length > most)
      ? `- ${name}`
      : `- ${name}: ${cutText(text, most)}`,
  );
}

/** Cut a text to at most `most` characters, never within one of them. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const begin = firstChars(text, Math.max(0, most - 1));
  return `${begin.trimEnd()}…`;
}

/** The length that texts are cut to, so that all of them together fit: short texts stay whole. */
function longestText(lengths: readonly number[], room: number): number {
  const sorted = lengths.toSorted((a, b) => a - b);
  let left = Math.max(0, room);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}
