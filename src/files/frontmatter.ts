import type { Document } from 'yaml';
import { messageOf } from '../core/errors.js';

/** A Markdown file: the fields between `---` and `---` at its beginning, and the rest. */
export type MarkdownParts =
  | {
      readonly ok: true;
      /** Undefined if the file has no frontmatter. */
      readonly fields: Readonly<Record<string, unknown>> | undefined;
      readonly body: string;
      /** The line of a field in the file, from 1; 1 for a missing field. */
      readonly lineOf: (field: string) => number;
    }
  | {
      readonly ok: false;
      readonly line: number;
      readonly message: string;
      /** The text below the frontmatter; the whole file if the frontmatter does not end. */
      readonly body: string;
    };

const FENCE = '---';

/**
 * Read the frontmatter of a Markdown file as YAML. Values of one line that other programs accept as text and YAML
 * refuses are text here, too: `description: Use it so: …`, `tools: *`, `paths: {src,lib}/**`.
 */
export async function readFrontmatter(text: string): Promise<MarkdownParts> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== FENCE)
    return { ok: true, fields: undefined, body: lines.join('\n'), lineOf: () => 1 };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE);
  if (end === -1)
    return {
      ok: false,
      line: 1,
      message: 'the frontmatter begins with --- and does not end',
      body: lines.join('\n'),
    };
  return parseFields(lines.slice(1, end).join('\n'), lines.slice(end + 1).join('\n'));
}

async function parseFields(source: string, body: string): Promise<MarkdownParts> {
  const { isMap, LineCounter, parseDocument } = await import('yaml');
  const parse = (text: string) => {
    const lines = new LineCounter();
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error', // a warning of the library is no line of ours
    });
    return { document, lines, ...valueOf(document) };
  };
  const isYaml = (value: string): boolean =>
    (/^["'[{]/.test(value) || !value.includes(': ')) && parse(value).problem === undefined;
  const strict = parse(source);
  const lenient = strict.problem === undefined ? strict : parse(quoteValues(source, isYaml));
  const { document, lines, problem, value } = lenient.problem === undefined ? lenient : strict;
  /** After the line of the `---`. */
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line) + 1;

  if (problem !== undefined) {
    const line = lineAt(problem.offset);
    const message = whyUnreadable(problem.message, line, source);
    return { ok: false, body, ...(findLooseLine(source) ?? { line, message }) };
  }
  const { contents } = document;
  if (contents === null) return { ok: true, fields: {}, body, lineOf: () => 1 };
  if (!isMap(contents))
    return {
      ok: false,
      line: 2,
      message: 'the frontmatter must be fields, each `name: value`',
      body,
    };
  const keys = contents.items.map(({ key }) => key as { range?: readonly number[] }); // parsed keys are nodes
  return {
    ok: true,
    fields: value as Record<string, unknown>, // a map becomes an object
    body,
    lineOf(field) {
      const offset = keys.find((key) => String(key) === field)?.range?.[0];
      return offset === undefined ? 1 : lineAt(offset);
    },
  };
}

type Parsed = {
  readonly value?: unknown;
  readonly problem?: { readonly message: string; readonly offset: number };
};

function valueOf(document: Document): Parsed {
  const [error] = document.errors;
  if (error !== undefined) return { problem: { message: error.message, offset: error.pos[0] } };
  try {
    return { value: document.toJS() };
  } catch (reason) {
    return { problem: { message: messageOf(reason), offset: 0 } }; // an unknown alias, or too many
  }
}

/** A field with its value on the same line, or an entry of a list that is not an object. */
const VALUE = /^([A-Za-z][\w-]*:[ \t]+|[ \t]*-[ \t]+(?![A-Za-z][\w-]*:(?:[ \t]|$)))(\S.*)$/;
/** The beginning of a text whose lines follow, indented. */
const BLOCK = /^[A-Za-z][\w-]*:[ \t]+[|>]/;

/** Quote values of one line that are not valid YAML. They keep their lines. */
function quoteValues(source: string, isYaml: (value: string) => boolean): string {
  let isInBlock = false;
  const lines = source.split('\n').map((line) => {
    isInBlock = BLOCK.test(line) || (isInBlock && /^(?:[ \t]|$)/.test(line));
    const [, head = '', value = ''] = isInBlock ? [] : (VALUE.exec(line) ?? []);
    if (head === '' || isOpen(value) || isYaml(value)) return line;
    const list = /^\[(.*)\]\s*$/.exec(value)?.[1];
    if (list === undefined) return `${head}${quote(value)}`;
    return `${head}[${splitOutsideBraces(list).map(quote).join(', ')}]`;
  });
  return lines.join('\n');
}

/** Whether a list, an object or a quoted text continues on the next line. */
function isOpen(value: string): boolean {
  if (/^["']/.test(value)) return true; // the problem is not a missing quote
  const end = { '[': ']', '{': '}' }[value.charAt(0)];
  return end !== undefined && !value.includes(end);
}

function quote(value: string): string {
  const text = value.trim();
  return /^(["']).*\1$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

/** Split at commas outside of braces. */
export function splitOutsideBraces(text: string): readonly string[] {
  const parts = text.match(/(?:\{[^}]*\}|[^,{]|\{)+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** An unquoted text with a colon is not valid YAML if lines follow that look like fields. */
function whyUnreadable(message: string, line: number, source: string): string {
  const field = /^([\w-]+)\s*:/.exec(source.split('\n')[line - 2] ?? '')?.[1];
  const isText = message.startsWith('Nested mappings') && field !== undefined;
  return isText ? `"${field}" is not valid YAML text: quote the ${field}` : message;
}

/** A line that is neither a field nor indented: usually a text of several lines without quotes. */
function findLooseLine(
  source: string,
): { readonly line: number; readonly message: string } | undefined {
  const lines = source.split('\n');
  const index = lines.findIndex((line) => !/^(?:[\w-]+\s*:(?:\s|$)|[\s#-]|$)/.test(line));
  const field = lines
    .slice(0, Math.max(index, 0))
    .flatMap((line) => /^([\w-]+)\s*:/.exec(line)?.[1] ?? [])
    .at(-1);
  if (field === undefined) return undefined;
  const message = `"${field}" has several lines, and this one is not indented: quote the ${field}, or indent its lines`;
  return { line: index + 2, message };
}
