import {
  createScanner,
  getNodeValue,
  parseTree,
  type Node,
  type ParseError,
  type ParseErrorCode,
} from 'jsonc-parser';

/** The place of a value in a text; lines and columns count from 1. */
type TextPosition = { readonly line: number; readonly column: number };

export type PositionedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The position of the value at a path of keys and indices, or of the nearest value that contains it. */
      readonly positionOf: (path: readonly PropertyKey[]) => TextPosition;
    }
  | ({ readonly ok: false; readonly message: string } & TextPosition);

/**
 * Parse JSON and record the position of each value, so that a message can show the place of a fault. Comments and a
 * comma after the last value are allowed.
 */
export function parseJsonWithPositions(text: string): PositionedJson {
  if (isTooDeep(text)) return { ok: false, message: 'nested too deep', line: 1, column: 1 };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (root === undefined || first !== undefined)
    return {
      ok: false,
      message: describe(text, first),
      ...positionAt(text, first?.offset ?? 0),
    };
  return {
    ok: true,
    value: getNodeValue(root) as unknown,
    positionOf(path) {
      let node = root;
      for (const key of path) {
        const next = childOf(node, String(key));
        if (next === undefined) break;
        node = next;
      }
      return positionAt(text, node.offset);
    },
  };
}

/** The value of a key, the last one if the key is repeated, or the value at an index. */
function childOf({ type, children = [] }: Node, key: string): Node | undefined {
  if (type === 'array') return children[Number(key)];
  const member = children.findLast(({ children: [name] = [] }) => name?.value === key);
  return member?.children?.[1];
}

const MAX_DEPTH = 200;
/** Tokens of the scanner, by their numbers. */
const OPENING: readonly number[] = [1, 3]; // { [
const CLOSING: readonly number[] = [2, 4];
const END = 17;

/** The parser calls itself for each level. Brackets in texts and comments are no levels. */
function isTooDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (OPENING.includes(token)) depth += 1;
    if (CLOSING.includes(token)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

const EXPECTED: { readonly [Code in ParseErrorCode]?: string } = {
  1: 'a value',
  2: 'a number',
  3: 'a key in double quotes',
  4: 'a value',
  5: '":" behind the key',
  6: '"," before the next value',
  7: '"," or "}"',
  8: '"," or "]"',
  9: 'the end of the text',
};

function describe(text: string, error: ParseError | undefined): string {
  const { error: code = 4, offset = 0 } = error ?? {};
  const expected = EXPECTED[code as ParseErrorCode]; // codes of the parser
  if (expected === undefined)
    return code === 11
      ? 'this comment does not end'
      : 'this string does not end, or holds a character that must be escaped';
  const found = text[offset];
  const instead = found === undefined ? 'the end of the text' : JSON.stringify(found);
  return `expected ${expected}, found ${instead}`;
}

function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
