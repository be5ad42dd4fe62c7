import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parseTree,
  type FormattingOptions,
  type JSONPath,
} from 'jsonc-parser';
import type { Notebook, NotebookCell } from './notebook.js';

export type CellType = 'code' | 'markdown';

export type CellChange =
  | {
      readonly mode: 'replace';
      readonly index: number;
      readonly source: string;
      /** Undefined: the type stays. */
      readonly type?: CellType | undefined;
    }
  | {
      readonly mode: 'insert';
      readonly index: number;
      readonly source: string;
      readonly type: CellType;
      /** Undefined: the notebook has no ids. */
      readonly id: string | undefined;
    }
  | { readonly mode: 'delete'; readonly index: number };

/**
 * Change one cell in the text of a notebook. Everything else stays, byte for byte: metadata, key order, indentation, line
 * endings and the spelling of numbers. Undefined if that cannot be made sure, as with a key that stands twice.
 */
export function changeNotebook(
  text: string,
  notebook: Notebook,
  change: CellChange,
): string | undefined {
  const { index } = change;
  const style = styleOf(text);
  const cells: unknown[] = [...notebook.cells];
  let changed: string;
  switch (change.mode) {
    case 'insert': {
      const cell = newCell(change, notebook);
      cells.splice(index, 0, cell);
      changed = put(text, ['cells', index], cell, style, { isArrayInsertion: true });
      break;
    }
    case 'delete':
      cells.splice(index, 1);
      changed = put(text, ['cells', index], undefined, style);
      break;
    case 'replace': {
      const cell = notebook.cells[index] as NotebookCell; // its index was just found
      const fields = changedFields(change, cell);
      cells[index] = withFields(cell, fields);
      changed = replaceFields(text, index, fields, style);
      break;
    }
    default:
      return change satisfies never;
  }
  return isDeepStrictEqual(JSON.parse(changed), { ...notebook, cells }) ? changed : undefined;
}

/** New values of the fields of a cell; undefined removes a field. */
type Fields = Readonly<Record<string, unknown>>;

function changedFields({ source, type }: CellChange & { mode: 'replace' }, cell: NotebookCell) {
  const fields: Record<string, unknown> = { source: likeSource(cell, source) };
  const after = type ?? cell.cell_type;
  if (after !== cell.cell_type) fields['cell_type'] = after;
  if (after === 'code') {
    fields['outputs'] = [];
    fields['execution_count'] = null;
    if ('attachments' in cell) fields['attachments'] = undefined; // only other cells may have them
  } else {
    for (const key of ['outputs', 'execution_count']) if (key in cell) fields[key] = undefined;
  }
  return fields;
}

function withFields(cell: NotebookCell, fields: Fields): unknown {
  const entries = Object.entries({ ...cell, ...fields });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function newCell({ source, type, id }: CellChange & { mode: 'insert' }, { cells }: Notebook) {
  const own = id === undefined ? {} : { id };
  const lines = likeSource(cells[0], source);
  return type === 'code'
    ? { cell_type: type, execution_count: null, ...own, metadata: {}, outputs: [], source: lines }
    : { cell_type: type, ...own, metadata: {}, source: lines };
}

/** The source as its lines, which is the usual form, or as one text, if the cell has that. */
function likeSource(cell: NotebookCell | undefined, source: string): string | string[] {
  return typeof cell?.source === 'string' ? source : (source.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** Only the text of the cell is parsed for each field. */
function replaceFields(text: string, index: number, fields: Fields, style: Style): string {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, ['cells', index]);
  if (node === undefined) return text;
  const indentation = /[ \t]*$/.exec(text.slice(Math.max(0, node.offset - 200), node.offset));
  const start = node.offset - (indentation?.[0].length ?? 0);
  const end = node.offset + node.length;
  let cell = text.slice(start, end);
  for (const [key, value] of Object.entries(fields)) cell = put(cell, [key], value, style);
  return text.slice(0, start) + cell + text.slice(end);
}

/** How the file is indented; undefined if it is on one line. */
type Style = FormattingOptions | undefined;

function styleOf(text: string): Style {
  const [, indentation] = /\n([ \t]+)"/.exec(text) ?? [];
  if (indentation === undefined) return undefined;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return indentation.startsWith('\t')
    ? { insertSpaces: false, tabSize: 1, eol }
    : { insertSpaces: true, tabSize: indentation.length, eol };
}

function put(
  text: string,
  path: JSONPath,
  value: unknown,
  style: Style,
  options: { readonly isArrayInsertion?: boolean } = {},
): string {
  const key = String(path.at(-1));
  const edits = modify(text, path, value, {
    ...options,
    ...(style !== undefined && { formattingOptions: style }),
    getInsertionIndex: (keys) => indexInOrder(keys, key),
  });
  return applyEdits(text, edits);
}

/** Notebooks have their keys in alphabetical order. */
function indexInOrder(keys: readonly string[], key: string): number {
  const index = keys.findIndex((other) => other > key);
  return index < 0 ? keys.length : index;
}
