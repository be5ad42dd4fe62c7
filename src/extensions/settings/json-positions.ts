/** Where a value stands in a text; lines and columns count from 1. */
type TextPosition = { readonly line: number; readonly column: number };

export type PositionedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The position of the value at a path of keys and indices, or of the nearest value that holds it. */
      readonly positionOf: (path: readonly PropertyKey[]) => TextPosition;
    }
  | ({ readonly ok: false; readonly message: string } & TextPosition);

/** Parses JSON and remembers where each value stands, so that whatever is wrong with one can be shown in its place. */
export function parseJsonWithPositions(text: string): PositionedJson {
  const offsets = new Map<string, number>();
  const failure = findFailure(text, offsets);
  if (failure !== undefined) {
    return { ok: false, message: failure.message, ...positionAt(text, failure.offset) };
  }
  return {
    ok: true,
    value: JSON.parse(text) as unknown,
    positionOf(path) {
      for (let length = path.length; length > 0; length--) {
        const offset = offsets.get(keyOf(path.slice(0, length)));
        if (offset !== undefined) return positionAt(text, offset);
      }
      return positionAt(text, offsets.get(keyOf([])) ?? 0);
    },
  };
}

type Failure = { readonly message: string; readonly offset: number };

const MAX_DEPTH = 200;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
// eslint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** The first place where the text is no JSON. Fills `offsets` on the way. */
function findFailure(text: string, offsets: Map<string, number>): Failure | undefined {
  let index = 0;

  const skipBlanks = (): void => {
    while (/[ \t\r\n]/.test(text[index] ?? '')) index++;
  };
  const expected = (what: string): Failure => {
    const found = text[index];
    const instead = found === undefined ? 'the end of the text' : JSON.stringify(found);
    return { message: `expected ${what}, found ${instead}`, offset: index };
  };
  const match = (expression: RegExp): string | undefined => {
    expression.lastIndex = index;
    const found = expression.exec(text)?.[0];
    index += found?.length ?? 0;
    return found;
  };
  const readValue = (path: readonly PropertyKey[]): Failure | undefined => {
    skipBlanks();
    offsets.set(keyOf(path), index);
    if (path.length > MAX_DEPTH) return { message: 'nested too deep', offset: index };
    const char = text[index];
    if (char === '{') return readItems('}', () => readMember(path));
    if (char === '[') return readItems(']', (position) => readValue([...path, position]));
    if (char === '"')
      return match(STRING) === undefined
        ? {
            message: 'this string does not end, or holds a character that must be escaped',
            offset: index,
          }
        : undefined;
    return match(SCALAR) === undefined ? expected('a value') : undefined;
  };
  const readMember = (path: readonly PropertyKey[]): Failure | undefined => {
    skipBlanks();
    const key = match(STRING);
    if (key === undefined) return expected('a key in double quotes');
    skipBlanks();
    if (text[index] !== ':') return expected('":" behind the key');
    index++;
    return readValue([...path, JSON.parse(key) as string]); // matched as a string
  };
  const readItems = (
    close: string,
    readItem: (position: number) => Failure | undefined,
  ): Failure | undefined => {
    index++;
    skipBlanks();
    if (text[index] === close) {
      index++;
      return undefined;
    }
    for (let position = 0; ; position++) {
      const failure = readItem(position);
      if (failure !== undefined) return failure;
      skipBlanks();
      if (text[index] === close) {
        index++;
        return undefined;
      }
      if (text[index] !== ',') return expected(`"," or "${close}"`);
      index++;
    }
  };

  const failure = readValue([]);
  if (failure !== undefined) return failure;
  skipBlanks();
  return index < text.length ? expected('the end of the text') : undefined;
}

function keyOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}

function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
