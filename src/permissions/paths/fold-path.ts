import type { Place } from './path-fact.js';

/** What some file systems leave out of a name, so that `.g\u200cit` is `.git`. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * The one spelling of all that a file system may take for the same path: the case and the composition of letters are gone. Upper
 * case comes first, since `ſ` is an `S` to some file systems and has no lower case of its own.
 */
export function foldPath(
  path: string,
  { isCaseInsensitive }: Pick<Place, 'isCaseInsensitive'>,
): string {
  if (isCaseInsensitive !== true) return path;
  return path.normalize('NFC').replace(IGNORED, '').toUpperCase().toLowerCase();
}
