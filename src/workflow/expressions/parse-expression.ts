import { COMPARISONS, type Comparison, type Expression } from './expression.js';
import { ExpressionError } from './expression-error.js';

type Token = {
  readonly kind: 'name' | 'text' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
};

const TOKEN =
  /\s*(?:(?<name>[A-Za-z_][\w-]*)|(?<number>-?\d+(?:\.\d+)?)|'(?<text>(?:[^']|'')*)'|(?<sign>==|!=|<=|>=|[<>.()[\]]))/y;

const CONSTANTS: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
};
/** Deepest nesting, so that functions over expressions can recurse. */
const MOST_NESTED = 100;
const WORDS = ['and', 'or', 'not', 'contains'];
/** Operators of other languages that are words here. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^&&?/, 'Write "and".'],
  [/^\|\|?/, 'Write "or".'],
  [/^!/, 'Write "not".'],
  [/^=/, 'Write "==".'],
  [/^"/, "Put texts in single quotes: 'done'."],
  [/^'/, 'The text does not end: a single quote is missing.'],
];

/**
 * Parse an expression: names with dots (`tasks.test.status`), texts in single quotes, numbers, `true`, `false`, `null`,
 * `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `not`, `and`, `or` and parentheses. Nothing in it runs.
 *
 * @param at characters before it, in the text around it
 * @throws ExpressionError
 */
export function parseExpression(source: string, at = 0): Expression {
  const reader = createTokenReader(tokenise(source, at));
  const whole = parseOr(reader);
  if (reader.peek().kind !== 'end') throw reader.expected('The end of the expression');
  return whole;
}

/** The tokens from the next one on. */
interface TokenReader {
  peek(): Token;
  isNext(text: string): boolean;
  /** Take the next token; the end is never taken. */
  take(): Token;
  /** Take a word or a sign. @throws ExpressionError if it is not next */
  skip(text: string): void;
  /** Parse the part after a word or a sign. @throws ExpressionError if the nesting is too deep */
  nested(parse: (reader: TokenReader) => Expression): Expression;
  /** The error that something else is next. */
  expected(what: string): ExpressionError;
}

function createTokenReader(tokens: readonly Token[]): TokenReader {
  let position = 0;
  let depth = 0;
  const peek = (): Token => tokens[position] as Token; // the last one is the end, which is never taken
  const isNext = (text: string): boolean =>
    peek().text === text && (peek().kind === 'name' || peek().kind === 'sign');
  const take = (): Token => {
    const token = peek();
    if (token.kind !== 'end') position += 1;
    return token;
  };
  const expected = (what: string): ExpressionError => {
    const { kind, text, at } = peek();
    const found = kind === 'end' ? 'the expression ends' : `there is ${JSON.stringify(text)}`;
    return new ExpressionError(`${what} is expected, and ${found}.`, at);
  };
  const reader: TokenReader = {
    peek,
    isNext,
    take,
    expected,
    skip(text) {
      if (!isNext(text)) throw expected(`"${text}"`);
      take();
    },
    nested(parse) {
      const { at } = take();
      if (depth === MOST_NESTED)
        throw new ExpressionError(
          `The nesting is more than ${MOST_NESTED} deep: remove some "not" and parentheses.`,
          at,
        );
      depth += 1;
      const inner = parse(reader);
      depth -= 1;
      return inner;
    },
  };
  return reader;
}

function parseOr(reader: TokenReader): Expression {
  return parseChain(reader, 'or', parseAnd);
}

function parseAnd(reader: TokenReader): Expression {
  return parseChain(reader, 'and', parseNot);
}

function parseChain(
  reader: TokenReader,
  kind: 'and' | 'or',
  parseOperand: (reader: TokenReader) => Expression,
): Expression {
  const first = parseOperand(reader);
  if (!reader.isNext(kind)) return first;
  const operands = [first];
  while (reader.isNext(kind)) {
    reader.take();
    operands.push(parseOperand(reader));
  }
  return { kind, operands };
}

function parseNot(reader: TokenReader): Expression {
  if (!reader.isNext('not')) return parseComparison(reader);
  return { kind: 'not', operand: reader.nested(parseNot) };
}

function parseComparison(reader: TokenReader): Expression {
  const left = parseValue(reader);
  const { kind, text, at } = reader.peek();
  const operator = COMPARISONS.find((known): known is Comparison => known === text);
  if (operator === undefined || (kind !== 'sign' && kind !== 'name')) return left;
  reader.take();
  return { kind: 'compare', operator, left, right: parseValue(reader), at };
}

function parseValue(reader: TokenReader): Expression {
  const { kind, text, at } = reader.peek();
  if (reader.isNext('(')) {
    const inner = reader.nested(parseOr);
    reader.skip(')');
    return inner;
  }
  if (kind === 'text') return { kind: 'literal', value: reader.take().text };
  if (kind === 'number') return { kind: 'literal', value: Number(reader.take().text) };
  if (kind !== 'name' || WORDS.includes(text)) throw reader.expected('A value');
  reader.take();
  const constant = Object.hasOwn(CONSTANTS, text) ? CONSTANTS[text] : undefined;
  if (constant !== undefined) return { kind: 'literal', value: constant };
  return { kind: 'path', root: text, parts: parseParts(reader), at };
}

function parseParts(reader: TokenReader): readonly (string | number)[] {
  const parts: (string | number)[] = [];
  for (;;) {
    if (reader.isNext('.')) {
      reader.take();
      if (reader.peek().kind !== 'name') throw reader.expected('A name after the dot');
      parts.push(reader.take().text);
    } else if (reader.isNext('[')) {
      reader.take();
      const { kind, text } = reader.peek();
      if (kind !== 'number' && kind !== 'text') throw reader.expected("A number or a 'name'");
      reader.take();
      parts.push(kind === 'number' ? Number(text) : text);
      reader.skip(']');
    } else return parts;
  }
}

function tokenise(source: string, offset: number): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let from = 0; ; from = TOKEN.lastIndex) {
    TOKEN.lastIndex = from;
    const match = TOKEN.exec(source);
    const place = from + (/^\s*/.exec(source.slice(from))?.[0].length ?? 0);
    if (match === null) {
      if (place < source.length) throw unreadable(source, place, offset);
      tokens.push({ kind: 'end', text: '', at: offset + place });
      return tokens;
    }
    const { name, number, text, sign } = match.groups as Readonly<
      Record<'name' | 'number' | 'text' | 'sign', string | undefined>
    >; // of the pattern above
    const at = offset + place;
    if (name !== undefined) tokens.push({ kind: 'name', text: name, at });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    else if (text !== undefined)
      tokens.push({ kind: 'text', text: text.replaceAll("''", "'"), at });
    else tokens.push({ kind: 'sign', text: sign as string, at }); // one of the four has matched
  }
}

function unreadable(source: string, place: number, offset: number): ExpressionError {
  const rest = source.slice(place);
  const hint = FOREIGN.find(([pattern]) => pattern.test(rest))?.[1] ?? '';
  const [char = ''] = rest;
  return new ExpressionError(
    `${JSON.stringify(char)} means nothing here. ${hint}`.trim(),
    offset + place,
  );
}
