/** How the content of an element is written, once it is complete. */
export type RenderSpan = (text: string) => string;
/** The blocks that a group of blocks becomes. */
export type RenderGroup = (blocks: readonly string[]) => readonly string[];

/** Writes Markdown from text and the starts and ends of elements. Costs are linear in the size of the text. */
export interface MarkdownWriter {
  text(data: string): void;
  /** Begin an inline element, such as a link. Returns the function that ends it. */
  openSpan(render: RenderSpan): () => void;
  /** Begin a group of blocks, such as a list. Returns the function that ends it. */
  openGroup(render: RenderGroup): () => void;
  /** Begin text whose blanks and line breaks count. Returns the function that ends it. */
  openRaw(render: RenderSpan): () => void;
  breakLine(): void;
  /** End the paragraph. */
  endBlock(): void;
  /** Write a paragraph as it is. */
  block(text: string): void;
  /** All that was asked for is there: further text is left out. */
  readonly isFull: boolean;
  /** Call when every element has ended. */
  result(): string;
}

type Span = { text: string; readonly render: RenderSpan };
type Group = {
  readonly blocks: string[];
  /** The paragraph, and the elements that are open in it. */
  readonly spans: [Span, ...Span[]];
  endsInBlank: boolean;
};

/** Further elements inside these have their text written, and nothing else. */
const MOST_OPEN_SPANS = 20;
const MOST_OPEN_GROUPS = 40;

const asIs: RenderSpan = (text) => text;
const doNothing = (): void => {};

/** @param maxChars the text that is wanted; about as much is written. */
export function createMarkdownWriter(maxChars: number): MarkdownWriter {
  const root = newGroup();
  const groups: [Group, ...Group[]] = [root];
  let rawDepth = 0;
  let chars = 0;

  const group = (): Group => groups.at(-1) ?? root;
  const span = (): Span => group().spans.at(-1) ?? group().spans[0];
  const add = (text: string): void => {
    if (chars >= maxChars) return;
    chars += text.length;
    span().text += text;
  };

  const endBlock = (): void => {
    const paragraph = takeParagraph(group());
    const text = rawDepth > 0 ? paragraph : tidyLines(paragraph);
    if (text !== '') group().blocks.push(text);
  };

  const openGroup = (render: RenderGroup): (() => void) => {
    if (rawDepth > 0 || groups.length >= MOST_OPEN_GROUPS) return doNothing;
    endBlock();
    groups.push(newGroup());
    return () => {
      endBlock();
      const { blocks } = groups.pop() ?? root;
      for (const text of render(blocks)) if (text !== '') group().blocks.push(text);
    };
  };

  return {
    text(data) {
      if (rawDepth > 0) return add(data);
      const collapsed = data.replace(/\s+/g, ' ');
      const text = group().endsInBlank ? collapsed.trimStart() : collapsed;
      if (text === '') return;
      add(text);
      group().endsInBlank = text.endsWith(' ');
    },
    openSpan(render) {
      const { spans } = group();
      if (rawDepth > 0 || spans.length >= MOST_OPEN_SPANS) return doNothing;
      spans.push({ text: '', render });
      return () => {
        const { text, render: renderClosed } = spans.pop() as Span;
        const rendered = renderClosed(text);
        chars += Math.max(0, rendered.length - text.length);
        span().text += rendered;
      };
    },
    openGroup,
    openRaw(render) {
      const close = openGroup((blocks) => [render(blocks.join('\n'))]);
      rawDepth += 1;
      return () => {
        endBlock();
        rawDepth -= 1;
        close();
      };
    },
    breakLine() {
      add('\n');
      group().endsInBlank = true;
    },
    endBlock() {
      if (rawDepth === 0) endBlock();
      else if (!span().text.endsWith('\n') && span().text !== '') add('\n');
    },
    block(text) {
      endBlock();
      if (chars < maxChars) group().blocks.push(text);
      chars += text.length;
    },
    get isFull() {
      return chars >= maxChars;
    },
    result() {
      endBlock();
      return root.blocks.join('\n\n');
    },
  };
}

function newGroup(): Group {
  return { blocks: [], spans: [{ text: '', render: asIs }], endsInBlank: true };
}

/** The paragraph so far. Elements that are open in it continue in the next one. */
function takeParagraph(group: Group): string {
  const { spans } = group;
  for (let index = spans.length - 1; index > 0; index -= 1) {
    const open = spans[index] as Span;
    (spans[index - 1] as Span).text += open.render(open.text);
    open.text = '';
  }
  const [{ text }] = spans;
  spans[0].text = '';
  group.endsInBlank = true;
  return text;
}

/** Text has single blanks already. */
function tidyLines(text: string): string {
  return text
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
