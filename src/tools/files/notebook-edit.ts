import { z } from 'zod';
import { completeTool } from '../complete-tool.js';
import { ToolInputError } from '../tool-input-error.js';
import { FilePath } from './access/input-fields.js';
import { findLoneSurrogate } from './content/text-encoding.js';
import { NotebookEditResult, type NotebookEditOutput } from './output-schemas.js';
import { presentDiff } from './write/present-diff.js';
import { validateWrite } from './write/validate-write.js';

export const NotebookEditInput = z.object({
  notebook_path: FilePath.describe(
    'The notebook (.ipynb): an absolute path, or one relative to the working folder',
  ),
  cell_id: z
    .string()
    .optional()
    .describe(
      'The cell to replace or delete; with insert, the cell after which the new one comes (the beginning if left out)',
    ),
  new_source: z.string().describe('The new source of the cell; has no effect with delete'),
  cell_type: z
    .enum(['code', 'markdown'])
    .optional()
    .describe('The type of the cell: required with insert, the present type if left out'),
  edit_mode: z
    .enum(['replace', 'insert', 'delete'])
    .optional()
    .describe('What to do; replace if left out'),
});
export type NotebookEditInput = z.infer<typeof NotebookEditInput>;

/**
 * Replaces, inserts or deletes a cell of a notebook that this agent has read and that has not changed since. Everything
 * else in the file stays as it is. All or nothing.
 */
export const NotebookEditTool = completeTool({
  name: 'NotebookEdit',
  searchHint: 'change a cell of a jupyter notebook (ipynb)',
  shouldDefer: true,
  inputSchema: NotebookEditInput,
  outputSchema: NotebookEditResult,
  prompt: () =>
    [
      'Changes one cell of a Jupyter notebook (.ipynb): replaces its source, inserts a new cell, or deletes it. Use it instead of Edit and Write for notebooks.',
      'The notebook must have been read with Read before, which shows the ids of the cells, and must not have changed since. Cells without an id have the ids cell-0, cell-1 and so on, by their position: these ids change if a cell is inserted or deleted.',
      'edit_mode replace (the default) needs cell_id and new_source, the whole new source of the cell. A replaced code cell loses its outputs: nothing is run.',
      'edit_mode insert needs cell_type and new_source; the new cell comes after cell_id, or at the beginning if cell_id is left out.',
      'edit_mode delete needs cell_id. Metadata and all other cells stay as they are.',
    ].join('\n'),
  description: ({ notebook_path, edit_mode = 'replace' }) =>
    `${edit_mode[0]?.toUpperCase()}${edit_mode.slice(1)} a cell of ${notebook_path}`,
  permissionTarget: ({ notebook_path }) => ({
    kind: 'paths',
    paths: [{ path: notebook_path, access: 'write' }],
  }),
  toAutoClassifierInput: ({ notebook_path, new_source }) => `${notebook_path}: ${new_source}`,

  async validateInput(input, context) {
    const problem = findProblem(input);
    if (problem !== undefined) return { result: false, message: problem };
    return validateWrite(input.notebook_path, context.files);
  },

  async call(input, context): Promise<{ data: NotebookEditOutput }> {
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const problem = findProblem(input);
    if (problem !== undefined) throw new ToolInputError('NotebookEdit', problem);
    const { editNotebook } = await import('./edit-notebook.js');
    return { data: await editNotebook(input, context.files, signal) };
  },

  present: ({ notebookPath, diff }) =>
    presentDiff([{ filePath: notebookPath, created: false, ...(diff !== undefined && { diff }) }]),
  mapToolResultToToolResultBlockParam(output: NotebookEditOutput, toolUseId) {
    const { notebookPath, editMode, cellId, cellType, cellCount } = output;
    const done = { replace: 'Replaced', insert: 'Inserted', delete: 'Deleted' }[editMode];
    const cleared =
      editMode === 'replace' && cellType === 'code' ? ' Its outputs were cleared.' : '';
    const cells = cellCount === 1 ? '1 cell' : `${cellCount} cells`;
    const content = `${done} the ${cellType} cell ${cellId} of ${notebookPath}, which has ${cells} now.${cleared}`;
    return { type: 'tool_result', tool_use_id: toolUseId, content };
  },
});

/** The problem of an input that no notebook can solve. */
function findProblem(input: NotebookEditInput): string | undefined {
  const { notebook_path, cell_id, cell_type, new_source, edit_mode = 'replace' } = input;
  if (!/\.ipynb$/i.test(notebook_path))
    return `${notebook_path} is not a notebook: its name does not end with .ipynb. Change it with Edit.`;
  if (edit_mode === 'insert' && cell_type === undefined)
    return 'cell_type is required with edit_mode insert: give "code" or "markdown".';
  if (edit_mode !== 'insert' && cell_id === undefined)
    return `cell_id is required with edit_mode ${edit_mode}. Read shows the ids of the cells.`;
  if (findLoneSurrogate(new_source) >= 0)
    return 'new_source holds half of a character (a lone surrogate), which no file can store.';
  return undefined;
}
