import { setImmediate } from 'node:timers/promises';
import { createElements, LEFT_OUT, type EndElement } from './markdown-elements.js';
import { createMarkdownWriter } from './markdown-writer.js';

export type MarkdownPage = {
  /** Empty if the page has none. */
  readonly title: string;
  readonly text: string;
  /** The page has more than was asked for. */
  readonly isCut: boolean;
};

type Options = {
  /** Address of the page, for its links. */
  readonly base: string;
  readonly maxChars: number;
  readonly signal: AbortSignal;
};

/** Characters that are read in one go; then other work of the process has its turn. */
const SLICE = 32 * 1024;
/** Elements inside one another: the parser's costs grow with the depth. */
const DEEPEST = 2_000;
const LONGEST_TITLE = 300;

/**
 * Convert a page to Markdown: headings, lists, links, tables and code. Left out is what nobody sees. Reads no more of the
 * page than the text needs, and bears any nonsense.
 *
 * @throws the signal's reason
 */
export async function htmlToMarkdown(
  html: string,
  { base, maxChars, signal }: Options,
): Promise<MarkdownPage> {
  const { Parser } = await import('htmlparser2');
  const writer = createMarkdownWriter(maxChars);
  const openElement = createElements(writer, base);
  const ends: (EndElement | undefined)[] = [];
  let leftOut = 0;
  let title = '';
  let isTitle = false;
  let deepest = 0;

  const openTag = (
    name: string,
    attributes: Readonly<Record<string, string>>,
  ): EndElement | undefined => {
    if (name === 'title' && leftOut === 0) {
      isTitle = true;
      return () => void (isTitle = false);
    }
    const end = leftOut > 0 ? LEFT_OUT : openElement(name, attributes);
    if (end !== LEFT_OUT) return end;
    leftOut += 1;
    return () => void (leftOut -= 1);
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      ends.push(openTag(name, attributes));
      deepest = Math.max(deepest, ends.length);
    },
    ontext(data) {
      if (isTitle) title = `${title}${data}`.slice(0, LONGEST_TITLE);
      else if (leftOut === 0) writer.text(data);
    },
    onclosetag: () => ends.pop()?.(),
  });
  const isEnough = (): boolean => writer.isFull || deepest > DEEPEST;
  let read = 0;
  for (; read < html.length && !isEnough(); read += SLICE) {
    if (read > 0) await setImmediate();
    signal.throwIfAborted();
    parser.write(html.slice(read, read + SLICE));
  }
  const isCut = read < html.length || writer.isFull;
  parser.end();
  const text = writer.result();
  return {
    title: title.replace(/\s+/g, ' ').trim(),
    text: text.slice(0, maxChars),
    isCut: isCut || text.length > maxChars,
  };
}
