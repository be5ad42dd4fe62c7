import type { Skeleton } from './statement.js';
import type { ShellOperator, ShellToken, ShellWord } from '../words/shell-token.js';

/** The reader gives up on a command line. The reason is for people. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** A position among tokens. Taken tokens are kept for comparing. */
export interface TokenCursor {
  readonly token: ShellToken | undefined;
  readonly skeleton: Skeleton;
  /** The token `ahead` of this one if it is an operator. */
  operator(ahead?: number): ShellOperator | undefined;
  /** The token as a reserved word, which must be written plainly. */
  readonly raw: string | undefined;
  isAt(operator: string): boolean;
  /** Skip a token that is kept elsewhere. */
  skip(): void;
  skipNewlines(): void;
  /** Take an operator or a reserved word. @throws Refusal if it is not there */
  take(text: string): void;
  /** Take the operator or reserved word if it is there. */
  accept(text: string): boolean;
  /** Take a word that is data. @throws Refusal if the word is missing, or if it is expanded */
  takeData(): ShellWord;
}

export function createTokenCursor(tokens: readonly ShellToken[]): TokenCursor {
  const marks: (ShellOperator | ShellWord)[] = [];
  const data: ShellWord[] = [];
  let index = 0;
  const cursor: TokenCursor = {
    skeleton: { marks, data },
    get token() {
      return tokens[index];
    },
    operator(ahead = 0) {
      const token = tokens[index + ahead];
      return token?.type === 'operator' ? token : undefined;
    },
    get raw() {
      const token = tokens[index];
      return token?.type === 'word' ? token.raw : undefined;
    },
    isAt: (operator) => cursor.operator()?.operator === operator,
    skip: () => void index++,
    skipNewlines() {
      while (cursor.isAt('\n')) index++;
    },
    take(text) {
      const token = tokens[index];
      const mark = token?.type === 'operator' || token?.type === 'word' ? token : undefined;
      if (mark === undefined || textOf(mark) !== text)
        throw new Refusal(`"${text}" is missing ${whereIs(token)}`);
      marks.push(mark);
      index++;
    },
    accept(text) {
      if (!cursor.isAt(text) && cursor.raw !== text) return false;
      cursor.take(text);
      return true;
    },
    takeData() {
      const token = tokens[index];
      if (token === undefined) throw new Refusal('a word is missing');
      if (token.type !== 'word') throw unexpected(token);
      if (token.isDynamic) throw new Refusal(`"${token.raw}" is only known at run time`);
      data.push(token);
      index++;
      return token;
    },
  };
  return cursor;
}

export function unexpected(token: ShellToken): Refusal {
  return new Refusal(`it holds ${JSON.stringify(textOf(token))} at a place that is not understood`);
}

/** The place of a missing token, for a message. */
export function whereIs(token: ShellToken | undefined): string {
  return token === undefined ? 'at its end' : `before "${textOf(token)}"`;
}

function textOf(token: ShellToken): string {
  if (token.type === 'word') return token.raw;
  return token.type === 'hereDocument' ? '<<' : token.operator;
}
