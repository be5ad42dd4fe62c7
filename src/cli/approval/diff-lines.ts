import { diffHunks, unmistakable } from '../../api/text.js';
import type { ShownLine } from './describe-request.js';

const STYLES = { '+': 'added', '-': 'removed', ' ': undefined, '\\': 'dim' } as const;

/** The unified diff of two texts, without the names of files. The whole text is replaced if they cannot be compared. */
export async function diffLines(before: string, after: string): Promise<readonly ShownLine[]> {
  const hunks = await diffHunks(before, after);
  if (hunks === undefined)
    return [
      ...linesOf(before).map((line) => shownLine(`-${line}`)),
      ...linesOf(after).map((line) => shownLine(`+${line}`)),
    ];
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    {
      prefix: '    ',
      text: `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
      style: 'dim' as const,
    },
    ...lines.map(shownLine),
  ]);
}

/** An empty range begins at the line before it. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

/** A line of a diff: each of its wrapped lines has its mark in the margin. */
function shownLine(line: string): ShownLine {
  const mark = line[0] ?? ' ';
  if (mark === '\\') return { prefix: '    ', text: line, style: 'dim' }; // a note of the library
  return { prefix: `    ${mark} `, text: unmistakable(line.slice(1)), ...styleOfMark(mark) };
}

/** The style of a line of a diff, by the mark in front of it. */
export function styleOfMark(mark: string): Pick<ShownLine, 'style'> {
  const style = STYLES[mark as keyof typeof STYLES]; // as the library marks lines
  return style === undefined ? {} : { style };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
