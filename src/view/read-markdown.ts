/** The only reader of Markdown: an agent's text that nests without end neither ends the process nor holds up its keys. */
import { getDefaults, Lexer, Tokenizer, type Token, type Tokens } from 'marked';

/** Deeper quotes, lists, links and emphasis stay as they are written. */
const DEEPEST = 16;
/** A longer paragraph stays as it is written: to read it takes the square of its length. */
const MOST_CHARACTERS = 10_000;

export function readMarkdown(text: string): readonly Token[] {
  return new BoundedLexer({ ...getDefaults(), tokenizer: new BoundedTokenizer() }).lex(text);
}

class BoundedLexer extends Lexer {
  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (text.length <= MOST_CHARACTERS) return super.inlineTokens(text, tokens);
    tokens.push({ type: 'text', raw: text, text, escaped: false });
    return tokens;
  }
}

class BoundedTokenizer extends Tokenizer {
  #depth = 0;

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#within(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#within(() => super.list(src));
  }

  override emStrong(
    ...given: Parameters<Tokenizer['emStrong']>
  ): Tokens.Em | Tokens.Strong | undefined {
    return this.#within(() => super.emStrong(...given));
  }

  override del(...given: Parameters<Tokenizer['del']>): Tokens.Del | undefined {
    return this.#within(() => super.del(...given));
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    return this.#within(() => super.link(src));
  }

  #within<T>(read: () => T | undefined): T | undefined {
    if (this.#depth === DEEPEST) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }
}
