import { runRipgrep } from './ripgrep.js';

/**
 * The lines of a text that match a regular expression, the last ones where they are longer than `maxChars` together.
 * Ripgrep does it: its time grows with the text and not with the pattern, whatever that is.
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
  /** What is wrong with the pattern. */
  | { readonly complaint: string }
> {
  const lines: string[] = [];
  let first = 0; // of those that are kept
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
        chars -= (lines[first] as string).length + 1; // before the last one
        lines[first] = '';
      }
      return true;
    },
  });
  return complaint === undefined ? { lines: lines.slice(first), omitted: first } : { complaint };
}
