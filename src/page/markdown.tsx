import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { unmistakable } from '../core/text/printable.js';
import { readMarkdown } from '../view/read-markdown.js';

/** Longer texts are shown as they are. */
const MOST_CHARACTERS = 100_000;

/** The text of an agent as Markdown. Nothing of it is HTML, a link or a picture: addresses are shown as text. */
export function Markdown({ text }: { readonly text: string }) {
  if (text.length > MOST_CHARACTERS) return <p>{unmistakable(text)}</p>;
  return <div class="markdown">{blocks(readMarkdown(text))}</div>;
}

function blocks(tokens: readonly Token[]): ComponentChildren {
  return tokens.map((token, index) => <Block key={index} token={token} />);
}

function Block({ token }: { readonly token: Token }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'heading':
      return <h4>{inline(token.tokens)}</h4>;
    case 'code':
      return <pre>{unmistakable((token as Tokens.Code).text)}</pre>;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      const shown = items.map((item, index) => (
        <li key={index}>
          {item.task ? (item.checked === true ? '✔ ' : '☐ ') : ''}
          {blocks(item.tokens.filter(({ type }) => type !== 'checkbox'))}
        </li>
      ));
      return ordered ? <ol start={Number(start || 1)}>{shown}</ol> : <ul>{shown}</ul>;
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return (
        <table>
          {[header, ...rows].map((row, number) => (
            <tr key={number}>
              {row.map(({ tokens }, column) =>
                number === 0 ? (
                  <th key={column}>{inline(tokens)}</th>
                ) : (
                  <td key={column}>{inline(tokens)}</td>
                ),
              )}
            </tr>
          ))}
        </table>
      );
    }
    case 'text':
    case 'paragraph':
      return <p>{inline(token.tokens ?? [token])}</p>;
    default:
      return <p>{unmistakable(token.raw)}</p>;
  }
}

function inline(tokens: readonly Token[] = []): ComponentChildren {
  return tokens.map((token, index) => <Inline key={index} token={token} />);
}

function Inline({ token }: { readonly token: Token }) {
  switch (token.type) {
    case 'strong':
      return <b>{inline(token.tokens)}</b>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'del':
      return <s>{inline(token.tokens)}</s>;
    case 'codespan':
      return <code>{unmistakable((token as Tokens.Codespan).text)}</code>;
    case 'br':
      return <br />;
    case 'link': {
      const { href, text, tokens } = token as Tokens.Link;
      return (
        <>
          {inline(tokens)}
          {href === text ? '' : unmistakable(` (${href})`)}
        </>
      );
    }
    case 'text':
    case 'escape': {
      const { text, tokens } = token as Tokens.Text;
      return <>{tokens === undefined ? unmistakable(text) : inline(tokens)}</>;
    }
    default:
      return <>{unmistakable(token.raw)}</>;
  }
}
