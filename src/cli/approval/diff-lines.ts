import { unmistakable } from '../../api/text.js';
import type { ShownLine } from './describe-request.js';

/** Longer searches for the smallest difference are given up: then the whole text is shown as replaced. */
const TIMEOUT_MS = 500;
const CONTEXT_LINES = 3;

const STYLES = { '+': 'added', '-': 'removed', ' ': undefined, '\\': 'dim' } as const;

/** The unified diff of two texts, without the names of files. */
export async function diffLines(before: string, after: string): Promise<readonly ShownLine[]> {
  const { structuredPatch } = await import('diff'); // most sessions show none
  const options = { context: CONTEXT_LINES, timeout: TIMEOUT_MS };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  if (patch === undefined)
    return [
      ...linesOf(before).map((line) => shownLine(`-${line}`)),
      ...linesOf(after).map((line) => shownLine(`+${line}`)),
    ];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    {
      prefix: '    ',
      text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      style: 'dim' as const,
    },
    ...lines.map(shownLine),
  ]);
}

/** A line of a diff: its mark stands in the margin, in front of each line that it is wrapped into. */
function shownLine(line: string): ShownLine {
  const mark = (line[0] ?? ' ') as keyof typeof STYLES; // as the library marks lines
  const style = STYLES[mark];
  const text = unmistakable(line.slice(1));
  return { prefix: `    ${mark} `, text, ...(style === undefined ? {} : { style }) };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
