import type { Place } from './path-fact.js';

/** Characters that some file systems ignore in a name, so that `.g\u200cit` is `.git`. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * One spelling for every path that a file system may take for the same one: case and composition of letters are gone.
 * Upper case comes first, since `ſ` is an `S` to some file systems and has no lower case.
 */
export function foldPath(
  path: string,
  { isCaseInsensitive }: Pick<Place, 'isCaseInsensitive'>,
): string {
  if (isCaseInsensitive !== true) return path;
  return path.normalize('NFC').replace(IGNORED, '').toUpperCase().toLowerCase();
}
