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
import { EditInput } from './edit.js';
import { FilePath } from './access/input-fields.js';
import { MultiEditResult, type MultiEditOutput } from './output-schemas.js';
import { numberLines } from './content/line-window.js';
import { resolveTarget } from './access/resolve-path.js';
import { saveDrafts } from './write/save-drafts.js';
import { validateWrite } from './write/validate-write.js';
import { ToolInputError } from '../tool-input-error.js';
import type { ToolResult, ValidationResult } from '../tool.js';
import type { ToolUseFiles } from '../tool-context-groups.js';

const MAX_SHOWN_LINES = 60;
const MAX_LINE_CHARS = 500;

export const MultiEditInput = z
  .object({
    file_path: FilePath.optional().describe(
      'The file of the edits that name none: an absolute path, or one relative to the working folder',
    ),
    edits: z
      .array(
        EditInput.extend({
          file_path: FilePath.optional().describe('The file of this edit, if it is another one'),
        }),
      )
      .min(1)
      .describe('The edits, made in this order: each finds the text that those before it left'),
    description: z.string().optional().describe('What the edits are for, for people'),
  })
  .superRefine(({ file_path, edits }, { addIssue }) => {
    edits.forEach((edit, index) => {
      if (file_path !== undefined || edit.file_path !== undefined) return;
      addIssue({
        code: 'custom',
        path: ['edits', index],
        message: 'names no file: give it a file_path, or give one for all edits',
      });
    });
  });
export type MultiEditInput = z.infer<typeof MultiEditInput>;

/**
 * Makes several edits, in one file or in several: all of them or none. Each file is one that this agent has read and that
 * has not changed since.
 */
export const MultiEditTool = completeTool({
  name: 'MultiEdit',
  shouldDefer: true,
  searchHint: 'several replacements at once, in one file or many',
  inputSchema: MultiEditInput,
  outputSchema: MultiEditResult,
  prompt: () =>
    [
      'Makes several edits at once, in one file or in several: either all edits are made, or no file is changed.',
      'Each edit works like a call of Edit and has the same rules: read every file with Read before; old_string must be in the file exactly once, or set replace_all. An edit without a file_path is for the file_path of the call.',
      'The edits are made in the order given. An edit finds the text as the edits before it left it, so its old_string must not be text that an earlier edit replaces.',
      'Use it instead of Edit for two or more changes that belong together, such as a new name and its uses. If an edit fails, the error names it: correct it and send all edits again.',
    ].join('\n'),
  description: (input) => `Edit ${pathsOfEdits(input).join(', ')}`,
  permissionTarget: (input) => ({
    kind: 'paths',
    paths: pathsOfEdits(input).map((path) => ({ path, access: 'write' })),
  }),
  toAutoClassifierInput: (input) =>
    input.edits.map((edit) => `${pathOfEdit(input, edit)}: ${edit.new_string}`).join('\n'),

  async validateInput(input, context): Promise<ValidationResult> {
    for (const [index, edit] of input.edits.entries()) {
      const problem = findPassageProblem(edit);
      if (problem !== undefined)
        return { result: false, message: failureOf(index, problem).message };
    }
    for (const path of pathsOfEdits(input)) {
      const valid = await validateWrite(path, context.files);
      if (!valid.result) return valid;
    }
    return { result: true };
  },

  async call(input, context): Promise<ToolResult<MultiEditOutput>> {
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const { drafts, editResults } = await draftEdits(input, context.files, signal);
    const files = await Promise.all(drafts.map(describeDraft));
    const reported = await saveDrafts(drafts, context.files, signal);
    return {
      data: {
        filesModified: files.length,
        totalEdits: editResults.length,
        modifiedFiles: files.map(({ filePath }) => filePath),
        editResults,
        files,
      },
      ...reported,
    };
  },

  present: ({ files }) => presentDiff(files),
  mapToolResultToToolResultBlockParam(output: MultiEditOutput, toolUseId) {
    const { files, editResults } = output;
    const parts = files.map(({ filePath, created, diff = [] }) => {
      const edits = editResults.filter((one) => one.filePath === filePath);
      const places = edits.reduce((sum, { replacements }) => sum + replacements, 0);
      const done = created
        ? `Created ${filePath}.`
        : `Changed ${filePath}: ${places} ${places === 1 ? 'replacement' : 'replacements'}.`;
      return [done, ...(created ? [] : snippetsOf(diff))].join('\n');
    });
    return { type: 'tool_result', tool_use_id: toolUseId, content: parts.join('\n\n') };
  },
});

/** The path of an edit, as the model wrote it. */
export function pathOfEdit(
  { file_path }: MultiEditInput,
  edit: MultiEditInput['edits'][number],
): string {
  return edit.file_path ?? file_path ?? ''; // the schema requires one of them
}

/** Each path of the edits once, in their order. */
export function pathsOfEdits(input: MultiEditInput): readonly string[] {
  return [...new Set(input.edits.map((edit) => pathOfEdit(input, edit)))];
}

/** Make all edits in memory. Rejects at the first one that fails. */
async function draftEdits(
  input: MultiEditInput,
  files: ToolUseFiles,
  signal: AbortSignal,
): Promise<Pick<MultiEditOutput, 'editResults'> & { readonly drafts: readonly FinishedDraft[] }> {
  const drafts = new Map<string, FinishedDraft>();
  const editResults: MultiEditOutput['editResults'][number][] = [];
  for (const [index, edit] of input.edits.entries()) {
    const given = pathOfEdit(input, edit);
    const path = await resolveTarget(files, given, 'write');
    const draft =
      drafts.get(path) ??
      (await openDraft({ path, given, mayCreate: edit.old_string === '' }, files, signal));
    const applied = applyPassage(draft, edit);
    if (!applied.ok) throw failureOf(index, applied.problem);
    drafts.set(path, applied.draft);
    editResults.push({ filePath: path, success: true, replacements: applied.lines.length });
  }
  return { drafts: [...drafts.values()], editResults };
}

async function describeDraft(draft: FinishedDraft): Promise<MultiEditOutput['files'][number]> {
  const diff = await diffOf(draft);
  const { path, previous } = draft;
  return { filePath: path, created: previous === undefined, ...(diff !== undefined && { diff }) };
}

function failureOf(index: number, problem: string): ToolInputError {
  return new ToolInputError('MultiEdit', `edits[${index}]: ${problem} No edit was made.`);
}

/** The new lines of each passage that changed, numbered. */
function snippetsOf(diff: readonly DiffHunk[]): readonly string[] {
  const shown: string[] = [];
  let left = MAX_SHOWN_LINES;
  for (const { newStart, lines } of diff) {
    if (left <= 0) return [...shown, '…'];
    const kept = lines.filter((line) => /^[ +]/.test(line)).slice(0, left);
    left -= kept.length;
    shown.push(
      numberLines(
        kept.map((line) => line.slice(1, MAX_LINE_CHARS)),
        newStart,
      ),
    );
  }
  return shown;
}
