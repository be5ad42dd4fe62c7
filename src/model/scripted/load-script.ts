import { readFile } from 'node:fs/promises';
import type { Document, LineCounter, Node } from 'yaml';
import type { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { Script } from './script.js';
import { findUnknownVariable } from './find-unknown-variable.js';
import type { ScriptVariables } from './script-variables.js';

export type LoadScriptOptions = {
  /** The variables that the script will play with: a `${name}` that is none of them and no capture is refused. */
  readonly variables?: ScriptVariables;
};

/**
 * Reads a script from a YAML or JSON file.
 * @throws UsageError with file, line and column for whatever is wrong in it
 */
export async function loadScriptFile(
  file: string,
  options: LoadScriptOptions = {},
): Promise<Script> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`The script cannot be read: ${why}`, { file }, { cause });
  }
  return parseScript(text, file, options);
}

async function parseScript(
  text: string,
  file: string,
  { variables = {} }: LoadScriptOptions = {},
): Promise<Script> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  // JSON is YAML, so one parser reads both.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw problemAt(file, lines, problem.pos[0], problem.message);

  const source: unknown = toJs(document, file);
  const parsed = Script.safeParse(source);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (issue !== undefined) {
      throw problemAt(file, lines, offsetOf(document, issue), describe(issue));
    }
  }
  const script = source as Script; // what was just parsed: zod changes nothing in it
  const unknown = findUnknownVariable(script, Object.keys(variables));
  if (unknown !== undefined) {
    throw problemAt(file, lines, offsetOfPath(document, unknown.path), unknown.message);
  }
  return script;
}

function toJs(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    // Too many aliases, for example: no place is known.
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`The script cannot be read: ${why}`, { file }, { cause });
  }
}

function problemAt(file: string, lines: LineCounter, offset: number, message: string): UsageError {
  const { line, col } = lines.linePos(offset);
  return new UsageError(message, { file, line: Math.max(1, line), column: Math.max(1, col) });
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? 'The script' : toPathText(issue.path);
  return `${where}: ${issue.message}`;
}

function toPathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** For an unknown key its own place, otherwise the place of the value, or of what lacks it. */
function offsetOf(document: Document, issue: z.core.$ZodIssue): number {
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return key === undefined
    ? offsetOfPath(document, issue.path)
    : (keyOffset(document, issue.path, key) ?? offsetOfPath(document, issue.path));
}

function offsetOfPath(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    if (start !== undefined) return start;
  }
  return 0;
}

function keyOffset(
  document: Document,
  path: readonly PropertyKey[],
  key: string,
): number | undefined {
  const map: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  if (typeof map !== 'object' || map === null || !('items' in map)) return undefined;
  if (!Array.isArray(map.items)) return undefined;
  // The items of a map are pairs whose key is a node.
  const pairs = map.items as readonly { readonly key?: unknown }[];
  const found = pairs.map((pair) => pair.key).find((k) => isNode(k) && String(k) === key);
  return isNode(found) ? found.range?.[0] : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'range' in value;
}
