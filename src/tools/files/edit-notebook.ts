import { randomUUID } from 'node:crypto';
import { diffHunks } from '../../core/text/diff-hunks.js';
import { FileError } from '../../files/file-error.js';
import type { ToolUseFiles } from '../tool-context-groups.js';
import { ToolInputError } from '../tool-input-error.js';
import { changeNotebook, type CellChange, type CellType } from './notebook/change-notebook.js';
import { openDraft, toReplacement } from './write/draft.js';
import type { NotebookEditInput } from './notebook-edit.js';
import {
  cellIdsOf,
  findCell,
  joinText,
  languageOf,
  MAX_NOTEBOOK_BYTES,
  parseNotebook,
  type Notebook,
} from './notebook/notebook.js';
import type { NotebookEditOutput } from './output-schemas.js';
import { replaceFile } from './write/replace-file.js';
import { resolveTarget } from './access/resolve-path.js';

/** Change one cell of a notebook, all or nothing. Rejects with FileError or ToolInputError. */
export async function editNotebook(
  input: NotebookEditInput,
  files: ToolUseFiles,
  signal: AbortSignal,
): Promise<NotebookEditOutput> {
  const { notebook_path: given } = input;
  const path = await resolveTarget(files, given, 'write');
  const draft = await openDraft({ path, given, mayCreate: false }, files, signal);
  const notebook = toNotebook(path, draft.before);
  const change = toChange(path, input, notebook);
  const text = changeNotebook(draft.before, notebook, change);
  if (text === undefined) throw unsafeError(path);
  const data = await toOutput(path, notebook, change);
  const { bytes, previous } = toReplacement({ ...draft, text });
  const state = await replaceFile(path, bytes, previous, signal, { history: files.history });
  files.readFileState.set(path, state);
  return data;
}

function toNotebook(path: string, text: string): Notebook {
  if (text.length > MAX_NOTEBOOK_BYTES)
    throw new FileError(
      'too_large',
      path,
      `${path} is larger than ${MAX_NOTEBOOK_BYTES / 1024 / 1024} MiB, which is too much for NotebookEdit. Clear its outputs with Bash: jupyter nbconvert --clear-output --inplace`,
    );
  const parsed = parseNotebook(text);
  if (parsed.ok) return parsed.notebook;
  const message = `${path} is not a notebook that NotebookEdit can change: ${parsed.problem.replace(/\.$/, '')}. Nothing was changed.`;
  throw new FileError('unsupported', path, message);
}

function toChange(path: string, input: NotebookEditInput, notebook: Notebook): CellChange {
  const { cell_id, cell_type: type, new_source: source, edit_mode: mode = 'replace' } = input;
  const found = cell_id === undefined ? undefined : findCell(notebook, cell_id);
  if (found?.ok === false)
    throw new ToolInputError('NotebookEdit', `${path}: ${found.problem} Nothing was changed.`);
  const index = found?.index ?? -1; // only insert does without a cell
  if (mode === 'delete') return { mode, index };
  if (mode === 'replace') return { mode, index, source, type };
  return { mode, index: index + 1, source, type: type ?? 'code', id: newIdFor(notebook) };
}

/** An id as Jupyter makes them, from nbformat 4.5 on. */
function newIdFor(notebook: Notebook): string | undefined {
  if (notebook.nbformat_minor < 5) return undefined;
  const taken = new Set(cellIdsOf(notebook));
  for (;;) {
    const id = randomUUID().slice(0, 8);
    if (!taken.has(id)) return id;
  }
}

async function toOutput(
  notebookPath: string,
  notebook: Notebook,
  change: CellChange,
): Promise<NotebookEditOutput> {
  const { mode: editMode, index } = change;
  const { cells } = notebook;
  const cell = editMode === 'insert' ? undefined : cells[index];
  const asked: CellType | undefined = change.mode === 'delete' ? undefined : change.type;
  const insertedId = change.mode === 'insert' ? (change.id ?? `cell-${index}`) : undefined;
  const before = cell === undefined ? '' : joinText(cell.source);
  const diff = await diffHunks(before, change.mode === 'delete' ? '' : change.source);
  return {
    notebookPath,
    editMode,
    cellId: insertedId ?? cellIdsOf(notebook)[index] ?? '',
    cellType: asked ?? cell?.cell_type ?? 'code',
    language: languageOf(notebook),
    cellCount: cells.length + { replace: 0, insert: 1, delete: -1 }[editMode],
    ...(diff !== undefined && { diff }),
  };
}

function unsafeError(path: string): FileError {
  const message = `${path} cannot be changed without changing its other parts too: it has a key twice, or another form that programs read differently. Rewrite it with Bash first, for example with json.load and json.dump of Python.`;
  return new FileError('unsupported', path, message);
}
