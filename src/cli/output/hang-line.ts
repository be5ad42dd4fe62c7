/** How wide a text is on a terminal, in columns. */
type Measure = (text: string) => number;

/** The text behind it is the margin of further lines: a mark of a list, and the name before a warning, no row of which may look like a choice. */
const MARK = /^\s*(?:[-*•·]|\d+\.|troupe:)\s+/;

/**
 * Break a line between words, so that no terminal breaks it within a word. Further lines are indented below the first.
 * A word that is longer than a line stays whole, so that an ID or a path can be copied.
 *
 * @param indent of further lines; if absent two columns more than the line's own, or below the text of a list item or a warning
 */
export function hangLine(
  line: string,
  { width, of, indent }: { readonly width: number; readonly of: Measure; readonly indent?: number },
): string {
  if (of(line) <= width) return line;
  const own = indent ?? MARK.exec(line)?.[0].length ?? /^\s*/.exec(line)![0].length + 2;
  const margin = ' '.repeat(own > width / 2 ? 2 : own);
  const lines: string[] = [];
  let open = '';
  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    if (open.trim() === '' || of((open + word).trimEnd()) <= width) open += word;
    else {
      lines.push(open.trimEnd());
      open = margin + word;
    }
  }
  return [...lines, open.trimEnd()].join('\n');
}
