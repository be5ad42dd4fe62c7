/** A segment that is empty, `.` or `..`. */
const UNTIDY = /\/\.{0,2}(?:\/|$)/;

/**
 * Remove `.`, `..`, doubled and trailing slashes from an absolute path. Purely lexical; `..` at the root stays there.
 */
export function normalisePath(path: string): string {
  if (path.startsWith('/') && !UNTIDY.test(path)) return path;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/**
 * `path` itself if it is absolute, else behind `base`. `..` is kept, since behind a link it means another directory.
 */
export function joinPath(base: string, path: string): string {
  if (path.startsWith('/')) return path;
  return base === '/' ? `/${path}` : `${base}/${path}`;
}

/** The part of a normalised path below `base`: '' for `base` itself, undefined outside it. */
export function relativeTo(base: string, path: string): string | undefined {
  if (path === base) return '';
  const end = base === '/' ? 0 : base.length;
  return path[end] === '/' && path.startsWith(base) ? path.slice(end + 1) : undefined;
}
