/**
 * Shorten the paths of a text to `width` columns. A longer path loses folders at its beginning: `…/.claude/settings.json:5`.
 * The name of the file stays whole.
 */
export function shortenPaths(text: string, width: number, of: (text: string) => number): string {
  return text
    .split(/(\s+)/)
    .map((word) => (word.includes('/') && of(word) > width ? shortenPath(word, width, of) : word))
    .join('');
}

function shortenPath(path: string, width: number, of: (text: string) => number): string {
  for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1)) {
    const end = `…${path.slice(at)}`;
    if (of(end) <= width || !path.includes('/', at + 1)) return end;
  }
  return path;
}
