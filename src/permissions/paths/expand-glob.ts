import { compileMatcher } from './path-matcher.js';
import { isProtectedName } from './protected.js';

/** The files that the wildcards of a path match, as far as they matter to a decision. */
export type GlobMatches = {
  /** Links and protected files. */
  readonly links: readonly string[];
  /** Every name that matches. */
  readonly names: readonly string[];
  /** Absent if there are too many. */
  readonly folders?: readonly string[];
};

/** The content of a directory. */
export type GlobEntry = {
  readonly name: string;
  readonly isLink: boolean;
  readonly isFolder: boolean;
};

const MAX_ENTRIES = 20_000;
const MAX_DIRECTORIES = 1_000;
const MAX_LINKS = 100;
const MAX_FOLDERS = 100;

/**
 * Find the links and protected files that the wildcards of an absolute path may match, and the folders that the whole
 * path names. Other matches have the path that they seem to have, so they do not matter. The generator yields each
 * directory whose entries it needs, and the caller passes them in. The result may hold too many paths: a set `[…]`
 * matches anything. Returns undefined if the matches cannot be known: no permission to read, too many entries, `..`
 * behind a wildcard, a name that a program would take for an option.
 */
export function* expandGlob(
  path: string,
): Generator<string, GlobMatches | undefined, readonly GlobEntry[] | undefined> {
  const segments = path.split('/').filter((segment) => segment !== '');
  const first = segments.findIndex((segment) => /[*?[]/.test(segment));
  if (first < 0) return { links: [], names: [], folders: [] };
  const links: string[] = [];
  const folders: string[] = [];
  let directories: readonly string[] = [`/${segments.slice(0, first).join('/')}`];
  let seen = 0;
  for (const [index, segment] of segments.slice(first).entries()) {
    if (segment === '.') continue;
    if (segment === '..') return undefined;
    const matches = segmentMatcher(segment);
    const found: string[] = [];
    if (directories.length > MAX_DIRECTORIES) return undefined;
    for (const directory of directories) {
      const prefix = directory === '/' ? '/' : `${directory}/`;
      if (matches('..')) links.push(`${prefix}..`); // older shells take `.*` for it as well
      const entries = yield directory;
      if (entries === undefined) return undefined;
      seen += entries.length;
      if (seen > MAX_ENTRIES) return undefined;
      for (const { name, isLink, isFolder } of entries) {
        if (!matches(name)) continue;
        if (index === 0 && name.startsWith('-')) return undefined;
        if (isLink || isProtectedName(name)) links.push(prefix + name);
        if (isFolder && first + index === segments.length - 1) folders.push(prefix + name);
        found.push(prefix + name);
      }
    }
    if (links.length > MAX_LINKS) return undefined;
    directories = found;
  }
  return { links, names: directories, ...(folders.length > MAX_FOLDERS ? {} : { folders }) };
}

/** As in a shell, a leading dot has to be written. */
function segmentMatcher(segment: string): (name: string) => boolean {
  const matcher = compileMatcher(segment.replace(/\[.*\]/, '*'));
  return (name) =>
    (!name.startsWith('.') || segment.startsWith('.')) && matcher?.matches(name) === true;
}
