import type { Document, LineCounter } from 'yaml';

/** A Markdown file: what stands between `---` and `---` at its beginning, and the rest. */
export type MarkdownParts =
  | {
      readonly ok: true;
      /** Undefined where the file has no frontmatter. */
      readonly fields: Readonly<Record<string, unknown>> | undefined;
      readonly body: string;
      /** The line of the file that a field stands on, from 1; 1 for a field that is not there. */
      readonly lineOf: (field: string) => number;
    }
  | { readonly ok: false; readonly line: number; readonly message: string };

const FENCE = '---';

/**
 * Reads the frontmatter of a Markdown file as YAML. What other programs write and YAML refuses, a plain value with a colon
 * in it (`description: Use it so: …`), is read as text.
 */
export async function readFrontmatter(text: string): Promise<MarkdownParts> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== FENCE)
    return { ok: true, fields: undefined, body: lines.join('\n'), lineOf: () => 1 };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE);
  if (end === -1)
    return { ok: false, line: 1, message: 'the frontmatter begins with --- and does not end' };
  return parseFields(lines.slice(1, end).join('\n'), lines.slice(end + 1).join('\n'));
}

async function parseFields(source: string, body: string): Promise<MarkdownParts> {
  const { isMap, LineCounter, parseDocument } = await import('yaml');
  const parse = (text: string): { document: Document; lines: LineCounter } => {
    const lines = new LineCounter();
    return { document: parseDocument(text, { lineCounter: lines, prettyErrors: false }), lines };
  };
  const strict = parse(source);
  const lenient = strict.document.errors.length === 0 ? strict : parse(quotePlainValues(source));
  const { document, lines } = lenient.document.errors.length === 0 ? lenient : strict;
  /** Behind the line of the `---`. */
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line) + 1;

  const [problem] = document.errors;
  if (problem !== undefined)
    return { ok: false, line: lineAt(problem.pos[0]), message: problem.message };
  const { contents } = document;
  if (contents === null) return { ok: true, fields: {}, body, lineOf: () => 1 };
  if (!isMap(contents))
    return { ok: false, line: 2, message: 'the frontmatter must be fields, each `name: value`' };
  let fields: Record<string, unknown>;
  try {
    fields = document.toJS() as Record<string, unknown>; // a map becomes an object
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error); // too many aliases
    return { ok: false, line: 2, message: why };
  }
  const keys = contents.items.map(({ key }) => key as { range?: readonly number[] }); // parsed keys are nodes
  return {
    ok: true,
    fields,
    body,
    lineOf(field) {
      const offset = keys.find((key) => String(key) === field)?.range?.[0];
      return offset === undefined ? 1 : lineAt(offset);
    },
  };
}

/** Puts quotes around the values of one line that stop YAML with a colon. */
function quotePlainValues(source: string): string {
  return source.replaceAll(
    /^([A-Za-z][\w-]*):[ \t]+([^\s"'[{|>&*!#].*: .*)$/gm,
    (_, key: string, value: string) => `${key}: '${value.trimEnd().replaceAll("'", "''")}'`,
  );
}
