import { firstChars } from '../../../core/text/first-chars.js';

/** A longer line is cut, with a note of its length. */
export const MAX_LINE_CHARS = 2_000;

export type LineWindow = {
  readonly lines: readonly string[];
  /** Lines so far: all lines of the file, once its whole text was pushed. */
  readonly seen: number;
  /** The wanted lines are too long: the window ends before the last of them. */
  readonly isCut: boolean;
};

/**
 * Take `limit` lines from the `first` (counted from 1) out of text that comes in pieces. Keeps no more than about
 * `maxChars`, however much comes, and drops the carriage return of a CRLF.
 */
export function createLineWindow(first: number, limit: number, maxChars: number) {
  const lines: string[] = [];
  let seen = 0; // complete lines
  let chars = 0;
  let isCut = false;
  let current = '';
  let currentLength = 0;

  const isWanted = () => !isCut && seen + 1 >= first && lines.length < limit;
  const append = (part: string) => {
    if (isWanted() && current.length <= MAX_LINE_CHARS) {
      current += part.slice(0, MAX_LINE_CHARS + 1 - current.length);
    }
    currentLength += part.length;
  };
  const endLine = () => {
    if (isWanted()) {
      const line = cutLine(current, currentLength);
      if (lines.length > 0 && chars + line.length > maxChars) isCut = true;
      else {
        lines.push(line);
        chars += line.length + 1;
      }
    }
    seen += 1;
    current = '';
    currentLength = 0;
  };

  return {
    push(text: string): void {
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        append(text.slice(start, end));
        endLine();
        start = end + 1;
      }
      append(text.slice(start));
    },
    /** Text after the last line break is a line too. */
    end(): void {
      if (currentLength > 0) endLine();
    },
    /** Further text cannot change the lines any more. */
    isFull: () =>
      isCut || (lines.length >= limit && (seen > first - 1 + limit || currentLength > 0)),
    result: (): LineWindow => ({ lines, seen, isCut }),
  };
}

/** Number lines as `cat -n` does: right-aligned number, tab, line. */
export function numberLines(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join('\n');
}

function cutLine(line: string, length: number): string {
  if (length <= MAX_LINE_CHARS) return line.endsWith('\r') ? line.slice(0, -1) : line;
  const kept = firstChars(line, MAX_LINE_CHARS);
  return `${kept}… [line cut, it has ${length} characters]`;
}
