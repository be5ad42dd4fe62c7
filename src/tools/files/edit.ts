import { resolve } from 'node:path';
import { z } from 'zod';
import { buildTool } from '../build-tool.js';
import { FileError } from '../../files/file-error.js';
import { FilePath } from './input-fields.js';
import { readWholeFile, requireRead } from './known-file.js';
import { numberLines } from './line-window.js';
import { missingFileError } from './missing-file.js';
import { replaceFile } from './replace-file.js';
import { countBreaks, findLooseMatch, MAX_COUNTED, replaceText } from './replace-text.js';
import { resolveTarget } from './resolve-path.js';
import { decodeExactly, detectEncoding, encodeText, findLoneSurrogate } from './text-encoding.js';
import { validateWrite } from './validate-write.js';
import { ToolInputError } from '../tool-input-error.js';

const MAX_NEW_CHARS = 256 * 1024 * 1024;
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

export type EditOutput = {
  readonly filePath: string;
  readonly replacements: number;
  /** The line on which each replacement starts in the new file, counted from 1. */
  readonly modifiedLines: readonly number[];
  /** Lines added and removed, over all replacements. */
  readonly additions: number;
  readonly deletions: number;
  readonly replaceAll: boolean;
  readonly created: boolean;
  /** Numbered lines around the first replacement. */
  readonly snippet: string;
};

/**
 * Replaces a passage of a file that this agent has read and that has not changed since. The passage must be unique
 * unless `replace_all`. Mode, encoding and line endings stay. All or nothing.
 */
export const EditTool = buildTool({
  name: 'Edit',
  searchHint: 'replace text in a file',
  inputSchema: EditInput,
  prompt: () =>
    [
      'Replaces text in a file. The file must have been read with Read before, and must not have changed since.',
      'old_string must be in the file exactly once, white space included and without the line numbers that Read shows; add lines around it until it is unique, or set replace_all.',
      'An empty old_string creates a new file. Line endings, encoding and mode are kept.',
    ].join('\n'),
  description: ({ file_path }) => `Edit ${file_path}`,
  permissionTarget: ({ file_path }) => ({
    kind: 'paths',
    paths: [{ path: file_path, access: 'write' }],
  }),
  toAutoClassifierInput: ({ file_path, new_string }) => `${file_path}: ${new_string}`,

  async validateInput(input, context) {
    const problem = findProblem(input);
    if (problem !== undefined) return { result: false, message: inputError(problem).message };
    return validateWrite(input.file_path, context.files);
  },

  async call(input, context): Promise<{ data: EditOutput }> {
    const { file_path, old_string, new_string, replace_all = false } = input;
    const { cwd, readFileState } = context.files;
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const problem = findProblem(input);
    if (problem !== undefined) throw inputError(problem);
    const path = await resolveTarget(context.files, file_path, 'write');
    const file = await readWholeFile(path, signal);
    if (file === undefined) {
      if (old_string !== '') throw await missingFileError(resolve(cwd, file_path), cwd);
      const bytes = encodeText(new_string, 'utf-8');
      readFileState.set(path, await replaceFile(path, bytes, undefined, signal));
      return { data: toOutput(path, input, { text: new_string, lines: [1], created: true }) };
    }
    if (old_string === '') {
      throw inputError(
        `${path} exists, and an empty old_string only creates new files. Give the text to replace, or replace the whole file with Write.`,
      );
    }
    requireRead(readFileState, file);
    const encoding = detectEncoding(file.bytes);
    const text = decodeExactly(file.bytes, encoding);
    if (text === undefined || (encoding.startsWith('utf-8') && text.includes('\0'))) {
      throw new FileError(
        'unsupported',
        path,
        `${path} is not text in ${encoding}, so Edit would damage it. Change it with Bash.`,
      );
    }
    const result = replaceText(text, {
      find: old_string,
      replacement: new_string,
      all: replace_all,
    });
    if (result.status === 'not_found') throw notFoundError(path, text, old_string);
    if (result.status === 'ambiguous') throw ambiguousError(path, result.count, result.lines);
    if (result.text.length > MAX_NEW_CHARS) {
      throw inputError(
        `${path} would grow to ${result.text.length} characters. Nothing was changed.`,
      );
    }
    if (result.text === text) {
      throw inputError('old_string and new_string differ in line endings only, which Edit keeps.');
    }
    const bytes = encodeText(result.text, encoding);
    readFileState.set(path, await replaceFile(path, bytes, file, signal));
    return { data: toOutput(path, input, { ...result, created: false }) };
  },

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

function findProblem({ old_string, new_string }: EditInput): string | undefined {
  if (old_string === new_string)
    return 'old_string and new_string are identical: there is nothing to change.';
  if (findLoneSurrogate(new_string) >= 0)
    return 'new_string holds half of a character (a lone surrogate), which no file can store.';
  return undefined;
}

function notFoundError(path: string, text: string, wanted: string): ToolInputError {
  const isNumbered = wanted.split('\n').every((line) => /^\s*\d+\t/.test(line));
  const loose = findLooseMatch(text, wanted);
  const hint = isNumbered
    ? 'Leave out the line numbers that Read shows.'
    : loose !== undefined
      ? `Lines ${loose.first}-${loose.last} are the same except for white space: copy them exactly.`
      : 'Read the file again and copy the text exactly.';
  return inputError(`old_string is not in ${path} (0 matches). ${hint}`);
}

function ambiguousError(path: string, count: number, lines: readonly number[]): ToolInputError {
  const times = count >= MAX_COUNTED ? `at least ${count}` : String(count);
  const listed = [...new Set(lines)].join(', ') + (lines.length < count ? ', …' : '');
  return inputError(
    `old_string has ${times} matches in ${path}, at lines ${listed}. Add text around it until it is unique, or set replace_all.`,
  );
}

function inputError(message: string): ToolInputError {
  return new ToolInputError('Edit', message);
}

function toOutput(
  path: string,
  { old_string, new_string, replace_all = false }: EditInput,
  { text, lines, created }: { text: string; lines: readonly number[]; created: boolean },
): EditOutput {
  const first = lines[0] ?? 1;
  return {
    filePath: path,
    replacements: created ? 0 : lines.length,
    modifiedLines: lines,
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
