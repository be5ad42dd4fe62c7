import { presentDiff } from './write/present-diff.js';
import { z } from 'zod';
import type { DiffHunk } from '../../core/text/diff-hunks.js';
import { completeTool } from '../complete-tool.js';
import {
  applyPassage,
  diffOf,
  findPassageProblem,
  openDraft,
  type FinishedDraft,
} from './write/draft.js';
import { FilePath } from './access/input-fields.js';
import { EditResult, type EditOutput } from './output-schemas.js';
import { numberLines } from './content/line-window.js';
import { countBreaks } from './content/replace-text.js';
import { resolveTarget } from './access/resolve-path.js';
import { saveDrafts } from './write/save-drafts.js';
import { validateWrite } from './write/validate-write.js';
import type { ToolResult } from '../tool.js';
import { ToolInputError } from '../tool-input-error.js';

const SNIPPET_CONTEXT = 4;
const MAX_SNIPPET_LINES = 60;

export const EditInput = z.object({
  file_path: FilePath.describe(
    'The file to change: an absolute path, or one relative to the working folder',
  ),
  old_string: z.string().describe('The text to replace, exactly as it is in the file'),
  new_string: z.string().describe('The text to put in its place'),
  replace_all: z.boolean().optional().describe('Replace every occurrence; false if left out'),
});
export type EditInput = z.infer<typeof EditInput>;

/**
 * Replaces a passage of a file that this agent has read and that has not changed since. The passage must be unique
 * unless `replace_all`. Mode, encoding and line endings stay. All or nothing.
 */
export const EditTool = completeTool({
  name: 'Edit',
  searchHint: 'replace text in a file',
  inputSchema: EditInput,
  outputSchema: EditResult,
  prompt: () =>
    [
      'Replaces text in a file. The file must have been read with Read before, and must not have changed since.',
      'old_string must be in the file exactly once, white space included and without the line numbers that Read shows; add lines around it until it is unique, or set replace_all.',
      'An empty old_string creates a new file. Line endings, encoding and mode are kept.',
      'MultiEdit makes several edits, all or none; NotebookEdit edits the cells of a notebook (.ipynb).',
    ].join('\n'),
  description: ({ file_path }) => `Edit ${file_path}`,
  permissionTarget: ({ file_path }) => ({
    kind: 'paths',
    paths: [{ path: file_path, access: 'write' }],
  }),
  toAutoClassifierInput: ({ file_path, new_string }) => `${file_path}: ${new_string}`,

  async validateInput(input, context) {
    const problem = findPassageProblem(input);
    if (problem !== undefined) return { result: false, message: problem };
    return validateWrite(input.file_path, context.files);
  },

  async call(input, context): Promise<ToolResult<EditOutput>> {
    const { file_path, old_string } = input;
    const { files } = context;
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const problem = findPassageProblem(input);
    if (problem !== undefined) throw new ToolInputError('Edit', problem);
    const path = await resolveTarget(files, file_path, 'write');
    const opened = await openDraft(
      { path, given: file_path, mayCreate: old_string === '' },
      files,
      signal,
    );
    const applied = applyPassage(opened, input);
    if (!applied.ok) throw new ToolInputError('Edit', applied.problem);
    const { draft, lines } = applied;
    const diff = await diffOf(draft);
    const reported = await saveDrafts([draft], files, signal);
    return { data: toOutput(draft, input, lines, diff), ...reported };
  },

  present: (output) => presentDiff([output]),
  mapToolResultToToolResultBlockParam(output: EditOutput, toolUseId) {
    const { filePath, replacements, modifiedLines, created, snippet } = output;
    const lines = modifiedLines.slice(0, 10).join(', ') + (modifiedLines.length > 10 ? ', …' : '');
    const done = created
      ? `Created ${filePath}.`
      : replacements === 1
        ? `Changed ${filePath} at line ${lines}.`
        : `Changed ${filePath}: ${replacements} replacements at lines ${lines}.`;
    const content = snippet === '' ? done : `${done}\n${snippet}`;
    return { type: 'tool_result', tool_use_id: toolUseId, content };
  },
});

function toOutput(
  { path, text, previous }: FinishedDraft,
  { old_string, new_string, replace_all = false }: EditInput,
  lines: readonly number[],
  diff: readonly DiffHunk[] | undefined,
): EditOutput {
  const first = lines[0] ?? 1;
  const created = previous === undefined;
  return {
    filePath: path,
    replacements: created ? 0 : lines.length,
    modifiedLines: lines,
    ...(diff !== undefined && { diff }),
    additions: lineCountOf(new_string) * lines.length,
    deletions: lineCountOf(old_string) * lines.length,
    replaceAll: replace_all,
    created,
    snippet: created ? '' : snippetOf(text, first, first + countBreaks(new_string)),
  };
}

function lineCountOf(text: string): number {
  return text === '' ? 0 : countBreaks(text) + (text.endsWith('\n') ? 0 : 1);
}

function snippetOf(text: string, first: number, last: number): string {
  const from = Math.max(1, first - SNIPPET_CONTEXT);
  const to = Math.min(last + SNIPPET_CONTEXT, from + MAX_SNIPPET_LINES - 1);
  const lines = text.split('\n', to);
  if (lines.at(-1) === '' && text.endsWith('\n')) lines.pop();
  const shown = lines.slice(from - 1).map((line) => line.replace(/\r$/, '').slice(0, 500));
  return numberLines(shown, from);
}
