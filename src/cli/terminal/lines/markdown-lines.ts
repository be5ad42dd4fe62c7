import type { Token, Tokens } from 'marked';
import type { Style } from '../../output/output-writer.js';
import type { TextWidth } from '../../output/text-width.js';
import type { highlightCode } from './highlight-code.js';
import { readMarkdown } from '../../../api/markdown.js';
import { lineText, plainLine, wrapLine, type Line } from './line.js';

type Layout = {
  readonly width: number;
  readonly measure: TextWidth;
  /** Colours code by its language; absent before its code is loaded. */
  readonly highlight?: typeof highlightCode | undefined;
};

/** Markdown as lines of a terminal. Text that is not Markdown stays as it is. */
export function markdownLines(text: string, layout: Layout): readonly Line[] {
  return blocks(readMarkdown(text), layout);
}

function blocks(tokens: readonly Token[], layout: Layout): readonly Line[] {
  return tokens.flatMap((token) => blockLines(token, layout));
}

function blockLines(token: Token, layout: Layout): readonly Line[] {
  switch (token.type) {
    case 'space':
      return [[]];
    case 'heading':
      return wrap(restyle(inline(token.tokens), 'heading'), layout);
    case 'code':
      return codeLines(token as Tokens.Code, layout);
    case 'blockquote':
      return blocks(token.tokens ?? [], narrower(layout, 2)).map((line) => [
        { text: '│ ', style: 'dim' as const },
        ...line,
      ]);
    case 'list':
      return listLines(token as Tokens.List, layout);
    case 'table':
      return tableLines(token as Tokens.Table, layout);
    case 'hr':
      return [plainLine('─'.repeat(Math.min(layout.width, 40)), 'dim')];
    case 'paragraph':
    case 'text':
      return wrap(inline(token.tokens ?? [token]), layout);
    default:
      return token.raw
        .replace(/\n+$/, '')
        .split('\n')
        .flatMap((line) => wrap([plainLine(line)], layout));
  }
}

function codeLines({ text, lang = '' }: Tokens.Code, { highlight }: Layout): readonly Line[] {
  const lines =
    highlight?.(text, lang) ??
    text.split('\n').map((line) => [{ text: line, style: 'code' as const }]);
  return lines.map((line) => [{ text: '    ' }, ...line]);
}

function listLines({ items, ordered, start }: Tokens.List, layout: Layout): readonly Line[] {
  return items.flatMap((item, index) => {
    const mark = ordered ? `${Number(start || 1) + index}. ` : '• ';
    const check = item.task ? `${item.checked === true ? '✔' : '☐'} ` : '';
    const head = `  ${mark}${check}`;
    const margin = ' '.repeat(head.length);
    const inner = blocks(
      item.tokens.filter(({ type }) => type !== 'checkbox'),
      narrower(layout, head.length),
    ).filter((line, at, all) => lineText(line) !== '' || (at > 0 && at < all.length - 1));
    if (inner.length === 0) return [plainLine(head)];
    return inner.map((line, row) => [{ text: row === 0 ? head : margin }, ...line]);
  });
}

function tableLines({ header, rows }: Tokens.Table, { measure, width }: Layout): readonly Line[] {
  const cells = [header, ...rows].map((row) =>
    row.map(({ tokens }) => inline(tokens).map(lineText).join(' ')),
  );
  const columns = header.map((_, index) =>
    Math.max(...cells.map((row) => measure.of(row[index] ?? ''))),
  );
  const isWide = columns.reduce((sum, one) => sum + one + 3, 0) > width;
  return cells.flatMap((row, index) => {
    const style = index === 0 ? ('strong' as const) : undefined;
    if (isWide) return wrap([plainLine(row.join(' │ '), style)], { measure, width });
    const text = row
      .map((cell, at) => cell + ' '.repeat((columns[at] ?? 0) - measure.of(cell)))
      .join(' │ ');
    const rule = columns.map((one) => '─'.repeat(one)).join('─┼─');
    return index === 0
      ? [plainLine(text, style), plainLine(rule, 'dim')]
      : [plainLine(text, style)];
  });
}

/** Inline tokens as lines: a line break in the source is a line. */
function inline(tokens: readonly Token[] = [], style?: Style): readonly Line[] {
  const lines: Line[number][][] = [[]];
  const put = (text: string, own: Style | undefined = style): void => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '')
        lines.at(-1)?.push(own === undefined ? { text: part } : { text: part, style: own });
    }
  };
  const add = (inner: readonly Line[]): void => {
    for (const [index, line] of inner.entries()) {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push(...line);
    }
  };
  for (const token of tokens)
    switch (token.type) {
      case 'strong':
        add(inline(token.tokens, 'strong'));
        break;
      case 'em':
        add(inline(token.tokens, 'emphasis'));
        break;
      case 'del':
        add(inline(token.tokens, 'dim'));
        break;
      case 'codespan':
        put((token as Tokens.Codespan).text, 'code');
        break;
      case 'link':
        putLink(token as Tokens.Link, put);
        break;
      case 'br':
        lines.push([]);
        break;
      default:
        if (token.type === 'text' && 'tokens' in token) add(inline(token.tokens, style));
        else put('text' in token ? String(token.text) : token.raw);
    }
  return lines;
}

/** The words of a link and where it leads: a link cannot show another address than its own. */
function putLink({ text, href }: Tokens.Link, put: (text: string, style?: Style) => void): void {
  if (text !== href && `mailto:${text}` !== href) put(`${text} `);
  put(text === href ? href : `(${href})`, 'code');
}

function restyle(lines: readonly Line[], style: Style): readonly Line[] {
  return lines.map((line) => line.map(({ text }) => ({ text, style })));
}

function wrap(lines: readonly Line[], { width, measure }: Layout): readonly Line[] {
  return lines.flatMap((line) => wrapLine(line, { width, measure }));
}

function narrower(layout: Layout, by: number): Layout {
  return { ...layout, width: Math.max(layout.width - by, 10) };
}
