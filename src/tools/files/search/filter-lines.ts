import { runRipgrep } from './ripgrep.js';

/**
 * Return the lines of a text that match a regular expression, the last ones if they are longer than `maxChars`
 * together. Ripgrep does it, because its time grows with the text, for every pattern.
 */
export async function filterLines(
  text: string,
  {
    pattern,
    maxChars,
    cwd,
    signal,
  }: {
    readonly pattern: string;
    readonly maxChars: number;
    readonly cwd: string;
    readonly signal: AbortSignal;
  },
): Promise<
  | { readonly lines: readonly string[]; readonly omitted: number }
  /** The problem of the pattern. */
  | { readonly complaint: string }
> {
  const lines: string[] = [];
  let first = 0; // of the kept lines
  let chars = 0;
  const { complaint } = await runRipgrep({
    args: ['--text', '--no-line-number', '--no-filename', `--regexp=${pattern}`, '--', '-'],
    cwd,
    separator: '\n',
    input: text,
    signal,
    onRecord: (line) => {
      lines.push(line);
      chars += line.length + 1;
      for (; chars > maxChars && first < lines.length - 1; first += 1) {
        chars -= (lines[first] as string).length + 1; // before the last line
        lines[first] = '';
      }
      return true;
    },
  });
  return complaint === undefined ? { lines: lines.slice(first), omitted: first } : { complaint };
}
