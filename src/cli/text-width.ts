/** How wide text is on a terminal, in columns: an emoji family or a Chinese character takes two, a mark on a letter takes none. */
export interface TextWidth {
  of(text: string): number;
  /** The text if it fits into `width` columns, otherwise its beginning and `…`. */
  cut(text: string, width: number): string;
  /** Lines of at most `width` columns, broken between words; a longer word is broken behind a folder or between characters. */
  wrap(text: string, width: number): readonly string[];
}

// eslint-disable-next-line no-control-regex -- printable ASCII is what needs no library
const ASCII = /^[\u0020-\u007e]*$/;

/** Load the measure: the length for ASCII, a library for everything else, which is loaded only if `texts` need it. */
export async function loadTextWidth(texts?: Iterable<string>): Promise<TextWidth> {
  if (texts !== undefined && [...texts].every((text) => ASCII.test(text)))
    return createTextWidth((text) => text.length);
  const { default: stringWidth } = await import('string-width');
  return createTextWidth((text) => (ASCII.test(text) ? text.length : stringWidth(text)));
}

/** Where to break a part of a word that fills a line: behind the last folder, if that leaves most of the line. */
export function endOfFolders(part: string): number {
  const end = part.lastIndexOf('/') + 1;
  return end * 2 > part.length ? end : part.length;
}

function createTextWidth(of: (text: string) => number): TextWidth {
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

  /** The longest beginning that fits, of whole characters; at least one. */
  const beginningOf = (text: string, width: number): string => {
    if (ASCII.test(text)) return text.slice(0, Math.max(width, 1));
    let end = 0;
    let used = 0;
    for (const { segment, index } of characters.segment(text)) {
      used += of(segment);
      if (used > width && index > 0) break;
      end = index + segment.length;
    }
    return text.slice(0, end);
  };

  const wrapLine = (line: string, width: number): readonly string[] => {
    if (of(line) <= width) return [line];
    const lines: string[] = [];
    let open = '';
    for (const word of line.split(/(?<=\s)(?=\S)/)) {
      if (of((open + word).trimEnd()) <= width) {
        open += word;
        continue;
      }
      if (open !== '') lines.push(open.trimEnd());
      open = word;
      while (of(open.trimEnd()) > width) {
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
      if (of(text) <= width) return text;
      const beginning = beginningOf(text, width - 1).trimEnd();
      return of(beginning) < width ? `${beginning}…` : '…';
    },
    wrap: (text, width) => text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 1))),
  };
}
