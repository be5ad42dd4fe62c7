import { charactersOf } from './characters.js';

/** How wide text is on a terminal, in columns: an emoji family or a Chinese character takes two, a mark on a letter takes none. */
export interface TextWidth {
  of(text: string): number;
  /** The text if it fits into `width` columns, otherwise its beginning and `…`. */
  cut(text: string, width: number): string;
  /** Lines of at most `width` columns, broken between words; a longer word is broken behind a folder or between characters. */
  wrap(text: string, width: number): readonly string[];
}

/**
 * Characters of one column, none of which joins another one: letters of Latin scripts, the signs of this command, and lines
 * of boxes. They need no library.
 */
export const NARROW =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u2195\u2500-\u259f\u25b8\u2610\u2714\u276f\u2800-\u28ff]*$/;

/** Load the measure: the length for narrow characters, a library for all others, which is loaded only if `texts` need it. */
export async function loadTextWidth(texts?: Iterable<string>): Promise<TextWidth> {
  if (texts !== undefined && [...texts].every((text) => NARROW.test(text)))
    return createTextWidth((text) => text.length);
  const { default: stringWidth } = await import('string-width');
  return createTextWidth((text) => (NARROW.test(text) ? text.length : stringWidth(text)));
}

/** A measure that is there at once. Until its library is loaded, each character that is not narrow counts as one column. */
export function lateTextWidth(): TextWidth & { load(): Promise<void> } {
  let measure = (text: string): number => [...text].length;
  return {
    ...createTextWidth((text) => (NARROW.test(text) ? text.length : measure(text))),
    async load() {
      ({ default: measure } = await import('string-width'));
    },
  };
}

/** Where to break a part of a word that fills a line: behind the last folder, if that leaves most of the line. */
export function endOfFolders(part: string): number {
  const end = part.lastIndexOf('/') + 1;
  return end * 2 > part.length ? end : part.length;
}

/** A longer text is measured in parts: the time of a library grows with the square of the length. */
const LONGEST_PART = 512;
/** The end of a part: no character is made of what is before and behind it. */
const PART_END =
  /(?<![\p{Cf}\p{Regional_Indicator}])(?![\p{M}\p{Cf}\p{Cs}\p{Emoji_Modifier}\p{Regional_Indicator}])/u;

/** The parts of a long text, each of whole characters if it has any. */
function* partsOf(text: string): Generator<string> {
  let rest = text;
  while (rest.length > LONGEST_PART) {
    const end = LONGEST_PART / 2 + rest.slice(LONGEST_PART / 2, LONGEST_PART).search(PART_END);
    const part = rest.slice(0, Math.max(end, LONGEST_PART / 2));
    yield part;
    rest = rest.slice(part.length);
  }
  yield rest;
}

function createTextWidth(measure: (text: string) => number): TextWidth {
  const of = (text: string): number => {
    let width = 0;
    for (const part of partsOf(text)) width += measure(part);
    return width;
  };

  /** Whether the text takes at most `width` columns; only as much of it is measured. */
  const fits = (text: string, width: number): boolean => {
    let used = 0;
    for (const part of partsOf(text)) {
      used += measure(part);
      if (used > width) return false;
    }
    return true;
  };

  /** The longest beginning that fits, of whole characters; at least one. */
  const beginningOf = (text: string, width: number): string => {
    let end = 0;
    let used = 0;
    for (const part of partsOf(text)) {
      if (NARROW.test(part) && used + part.length <= width) {
        used += part.length;
        end += part.length;
        continue;
      }
      for (const { segment } of charactersOf(part)) {
        used += measure(segment);
        if (used > width && end > 0) return text.slice(0, end);
        end += segment.length;
      }
    }
    return text.slice(0, end);
  };

  const wrapLine = (line: string, width: number): readonly string[] => {
    if (fits(line, width)) return [line];
    const lines: string[] = [];
    let open = '';
    for (const word of line.split(/(?<=\s)(?=\S)/)) {
      if (fits((open + word).trimEnd(), width)) {
        open += word;
        continue;
      }
      if (open !== '') lines.push(open.trimEnd());
      open = word;
      while (!fits(open.trimEnd(), width)) {
        const most = beginningOf(open, width);
        const part = most.slice(0, endOfFolders(most));
        lines.push(part);
        open = open.slice(part.length);
      }
    }
    return open === '' ? lines : [...lines, open.trimEnd()];
  };

  return {
    of,
    cut(text, width) {
      if (fits(text, width)) return text;
      const beginning = beginningOf(text, width - 1).trimEnd();
      return of(beginning) < width ? `${beginning}…` : '…';
    },
    wrap: (text, width) => text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 1))),
  };
}
