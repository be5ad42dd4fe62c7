import { renderTable, type Table } from './markdown-table.js';
import type { MarkdownWriter } from './markdown-writer.js';

export type Attributes = Readonly<Record<string, string>>;

/** Ends what the start of an element has begun. */
export type EndElement = () => void;

/** The element is left out, with everything in it. */
export const LEFT_OUT = Symbol('left out');

type OpenElement = (attributes: Attributes) => EndElement | typeof LEFT_OUT | undefined;

const NAMES_LEFT_OUT =
  'script style noscript template svg canvas iframe object embed audio video select datalist dialog';
const BLOCK_NAMES =
  'html body p div section article main header footer nav aside address figure figcaption details summary form fieldset legend dl dt dd center hgroup caption search';

/** Return the function that begins an element. Unknown elements are written as their text. */
export function createElements(
  writer: MarkdownWriter,
  base: string,
): (name: string, attributes: Attributes) => ReturnType<OpenElement> {
  const elements = new Map<string, OpenElement>([
    ...NAMES_LEFT_OUT.split(' ').map((name) => [name, () => LEFT_OUT] as const),
    ...BLOCK_NAMES.split(' ').map((name) => [name, () => openBlock(writer)] as const),
    ...inlineElements(writer, base),
    ...groupElements(writer),
    ...codeElements(writer),
    ...tableElements(writer),
  ]);
  return (name, attributes) => {
    if (isHidden(attributes)) return LEFT_OUT;
    return elements.get(name)?.(attributes);
  };
}

function openBlock(writer: MarkdownWriter): EndElement {
  writer.endBlock();
  return writer.endBlock;
}

/** Nobody sees it: text for machines, often a trap for them. */
function isHidden({ hidden, style = '' }: Attributes): boolean {
  return hidden !== undefined || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style);
}

function inlineElements(
  writer: MarkdownWriter,
  base: string,
): readonly (readonly [string, OpenElement])[] {
  const marked =
    (mark: string): OpenElement =>
    () =>
      writer.openSpan((text) => between(text, mark));
  return [
    ['strong', marked('**')],
    ['b', marked('**')],
    ['em', marked('*')],
    ['i', marked('*')],
    ['del', marked('~~')],
    ['s', marked('~~')],
    [
      'a',
      ({ href }) => {
        const target = resolveLink(href, base);
        return target === undefined ? undefined : writer.openSpan((text) => toLink(text, target));
      },
    ],
    [
      'img',
      ({ alt = '', src }) => {
        const target = resolveLink(src, base);
        if (alt.trim() !== '') writer.text(`![${alt}]${target === undefined ? '' : `(${target})`}`);
        return undefined;
      },
    ],
    ['br', () => void writer.breakLine()],
    ['hr', () => void writer.block('---')],
  ];
}

function groupElements(writer: MarkdownWriter): readonly (readonly [string, OpenElement])[] {
  /** The next number of each open list; undefined for one without numbers. */
  const lists: (number | undefined)[] = [];
  const openList = (first: number | undefined): EndElement => {
    lists.push(first);
    const close = writer.openGroup((items) => [items.join('\n')]);
    return () => {
      close();
      lists.pop();
    };
  };
  const openItem: OpenElement = () => {
    const number = lists.at(-1);
    if (number !== undefined) lists[lists.length - 1] = number + 1;
    const marker = number === undefined ? '- ' : `${number}. `;
    return writer.openGroup((blocks) =>
      blocks.length === 0 ? [] : [marker + indent(joinItem(blocks), ' '.repeat(marker.length))],
    );
  };
  const headings = [1, 2, 3, 4, 5, 6].map((level) => {
    const open: OpenElement = () =>
      writer.openGroup((blocks) =>
        blocks.length === 0 ? [] : [`${'#'.repeat(level)} ${toLine(blocks.join(' '))}`],
      );
    return [`h${level}`, open] as const;
  });
  return [
    ...headings,
    ['ul', () => openList(undefined)],
    ['menu', () => openList(undefined)],
    ['ol', ({ start }) => openList(/^\d{1,6}$/.test(start ?? '') ? Number(start) : 1)],
    ['li', openItem],
    [
      'blockquote',
      () =>
        writer.openGroup((blocks) =>
          blocks.length === 0 ? [] : [`> ${indent(blocks.join('\n\n'), '> ')}`],
        ),
    ],
  ];
}

function codeElements(writer: MarkdownWriter): readonly (readonly [string, OpenElement])[] {
  let language = '';
  const code: OpenElement = ({ class: names }) => {
    language ||= languageOf(names);
    return writer.openSpan(toCode);
  };
  const pre: OpenElement = ({ class: names }) => {
    language = languageOf(names);
    return writer.openRaw((text) => toFence(text, language));
  };
  return [['pre', pre], ...['code', 'kbd', 'samp', 'tt'].map((name) => [name, code] as const)];
}

function tableElements(writer: MarkdownWriter): readonly (readonly [string, OpenElement])[] {
  const tables: Table[] = [];
  const openCell: OpenElement = () =>
    writer.openGroup((blocks) => {
      const table = tables.at(-1);
      if (table === undefined) return blocks;
      if (table.rows.length === 0) table.rows.push([]);
      table.rows.at(-1)?.push(blocks.join('\n\n'));
      return [];
    });
  return [
    [
      'table',
      () => {
        const outer = tables.at(-1);
        if (outer !== undefined) outer.holdsTable = true;
        const table: Table = { rows: [], holdsTable: false };
        const close = writer.openGroup((blocks) => [...blocks, ...renderTable(table)]);
        tables.push(table);
        return () => {
          close();
          tables.pop();
        };
      },
    ],
    ['tr', () => void tables.at(-1)?.rows.push([])],
    ['td', openCell],
    ['th', openCell],
  ];
}

/** A nested list follows its item at once. */
function joinItem(blocks: readonly string[]): string {
  return blocks.reduce((text, block) =>
    /^(?:-|\d+\.) /.test(block) ? `${text}\n${block}` : `${text}\n\n${block}`,
  );
}

/** Empty lines get no blanks at their end. */
function indent(text: string, by: string): string {
  return text.replaceAll(
    /\n(.?)/g,
    (_, next: string) => `\n${next === '' ? by.trimEnd() : by}${next}`,
  );
}

function between(text: string, mark: string): string {
  const core = text.trim();
  if (core === '') return text;
  const start = text.indexOf(core);
  return `${text.slice(0, start)}${mark}${core}${mark}${text.slice(start + core.length)}`;
}

function toCode(text: string): string {
  return text.includes('`') ? text : between(text, '`');
}

function toLink(text: string, target: string): string {
  const label = toLine(text);
  return label === '' ? '' : `[${label}](${target})`;
}

function toLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The fence is longer than every run of backticks in the text. */
function toFence(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  const body = text.replace(/^\n/, '').trimEnd();
  return body === '' ? '' : `${fence}${language}\n${body}\n${fence}`;
}

function languageOf(names = ''): string {
  return /(?:^|\s)(?:language|lang)-([\w+#-]{1,20})/.exec(names)?.[1] ?? '';
}

const LONGEST_LINK = 2_000;

/** An address that a reader could fetch, or write to; undefined for a place on the page, scripts and data. */
function resolveLink(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.length > LONGEST_LINK || href.startsWith('#')) return undefined;
  if (!URL.canParse(href, base)) return undefined;
  const { protocol, href: whole } = new URL(href, base);
  if (!['http:', 'https:', 'mailto:'].includes(protocol)) return undefined;
  return whole.replaceAll('(', '%28').replaceAll(')', '%29');
}
