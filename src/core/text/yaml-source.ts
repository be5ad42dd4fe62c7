import type { Document, LineCounter, Node } from 'yaml';
import { messageOf } from '../errors.js';

/** A place in a file. Both numbers count from 1. */
export type Place = { readonly line: number; readonly column: number };
type Path = readonly PropertyKey[];

/** A YAML or JSON text as a value, with the place of each part. */
export type YamlSource = {
  readonly value: unknown;
  /** The place of the value at the path, or of the nearest value above it. */
  placeOf(path: Path): Place;
  /** The place of a key in the value at the path. */
  placeOfKey(path: Path, key: string): Place;
  /** The place of a character in the text at the path, as far as it is known. */
  placeIn(path: Path, at: number): Place;
};

export type YamlProblem = Place & { readonly message: string };

/** Read YAML or JSON, which is YAML too. */
export async function readYaml(
  text: string,
): Promise<
  | { readonly ok: true; readonly source: YamlSource }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] }
> {
  const { LineCounter: Lines, isScalar, parseDocument, visit } = await import('yaml');
  const lines = new Lines();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error', // a warning of the library is no line of ours
    uniqueKeys: false, // the option compares each key with each other
  });
  const errors = [...document.errors, ...document.warnings];
  const tooDeep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION'); // all others follow from this one
  if (tooDeep !== undefined)
    return { ok: false, problems: [{ message: TOO_DEEP, ...placeAt(lines, tooDeep.pos[0]) }] };
  const found = errors.map(({ code, message, pos }) => ({
    message: wordsOf(code, message),
    offset: pos[0],
  }));
  let value: unknown;
  try {
    if (found.length === 0)
      visit(document, {
        Map(_, { items }) {
          const known = new Set<unknown>();
          for (const { key } of items) {
            if (!isScalar(key)) continue;
            const message = `"${String(key.value)}" is here twice: remove one of them`;
            if (known.has(key.value)) found.push({ message, offset: key.range?.[0] ?? 0 });
            known.add(key.value);
          }
        },
      });
    const problems = found
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ message, offset }) => ({ message, ...placeAt(lines, offset) }));
    if (problems.length > 0) return { ok: false, problems };
    value = document.toJS();
  } catch (error) {
    const message = error instanceof RangeError ? TOO_DEEP : whyNoValue(error);
    return { ok: false, problems: [{ message, line: 1, column: 1 }] };
  }
  return {
    ok: true,
    source: {
      value,
      placeOf: (path) => placeAt(lines, offsetOf(document, path)),
      placeOfKey: (path, key) =>
        placeAt(lines, keyOffset(document, path, key) ?? offsetOf(document, path)),
      placeIn(path, at) {
        const node = document.getIn(path, true);
        const range = isNode(node) ? node.range : undefined;
        if (range === undefined || range === null) return placeAt(lines, offsetOf(document, path));
        const raw = text.slice(range[0], range[1]);
        const content = String(document.getIn(path));
        return placeAt(lines, range[0] + offsetIn(raw, content, at));
      },
    },
  };
}

/** Messages for the errors whose text is about YAML itself. */
const WORDS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a file has one document, and a second one begins here',
  BLOCK_AS_IMPLICIT_KEY: 'a text that contains ": " needs quotes around it',
  TAB_AS_INDENT: 'a tab cannot indent: use spaces',
};

function wordsOf(code: string, message: string): string {
  return Object.hasOwn(WORDS, code) ? String(WORDS[code]) : message;
}

const TOO_DEEP = 'the nesting is too deep';

/** The error of a document whose syntax is valid. */
function whyNoValue(error: unknown): string {
  const message = messageOf(error);
  return message.startsWith('Excessive alias count')
    ? 'the alias "*" is repeated too often: write its value out'
    : message;
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    if (start !== undefined) return start;
  }
  return 0;
}

function keyOffset(document: Document, path: Path, key: string): number | undefined {
  const map: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  if (typeof map !== 'object' || map === null || !('items' in map)) return undefined;
  if (!Array.isArray(map.items)) return undefined;
  // The items of a map are pairs whose key is a node.
  const pairs = map.items as readonly { readonly key?: unknown }[];
  const found = pairs.map((pair) => pair.key).find((k) => isNode(k) && String(k) === key);
  return isNode(found) ? found.range?.[0] : undefined;
}

const OPEN = '${{';

/** The offset by its line, if the line is in the file unchanged; otherwise by the `${{` before it, which always is. */
function offsetIn(raw: string, content: string, at: number): number {
  const head = content.slice(0, at).split('\n');
  const lines = content.split('\n').slice(0, head.length);
  let start = 0;
  for (const [index, line] of lines.entries()) {
    start = raw.indexOf(line, start);
    if (start === -1) return offsetByMarks(raw, content, at);
    if (index < lines.length - 1) start += line.length;
  }
  return start + (head.at(-1)?.length ?? 0);
}

function offsetByMarks(raw: string, content: string, at: number): number {
  const before = content.slice(0, at).split(OPEN);
  let index = -1;
  for (let count = 1; count < before.length; count += 1) index = raw.indexOf(OPEN, index + 1);
  return index === -1 ? 0 : index + OPEN.length + (before.at(-1)?.length ?? 0);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'range' in value;
}
