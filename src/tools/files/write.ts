import { presentDiff } from './write/present-diff.js';
import { z } from 'zod';
import { diffHunks } from '../../core/text/diff-hunks.js';
import { completeTool } from '../complete-tool.js';
import { FilePath } from './access/input-fields.js';
import { WriteResult, type WriteOutput } from './output-schemas.js';
import { asInEditor } from './access/in-editor.js';
import { readWholeFile, requireRead } from './access/known-file.js';
import { replaceFile } from './write/replace-file.js';
import { reportErrors } from './write/report-errors.js';
import { resolveTarget } from './access/resolve-path.js';
import {
  decodeExactly,
  detectEncoding,
  encodeText,
  findLoneSurrogate,
  lineEndingOf,
} from './content/text-encoding.js';
import { validateWrite } from './write/validate-write.js';
import type { ToolResult } from '../tool.js';
import { ToolInputError } from '../tool-input-error.js';

export const WriteInput = z.object({
  file_path: FilePath.describe(
    'The file to write: an absolute path, or one relative to the working folder',
  ),
  content: z.string().describe('The whole new content of the file'),
});
export type WriteInput = z.infer<typeof WriteInput>;

/**
 * Makes a file, or replaces the whole content of one that this agent has read and that has not changed since. Mode,
 * encoding and line endings of a file stay; a symbolic link stays a link. All or nothing.
 */
export const WriteTool = completeTool({
  name: 'Write',
  searchHint: 'create or overwrite a file',
  inputSchema: WriteInput,
  outputSchema: WriteResult,
  prompt: () =>
    [
      'Writes a file: creates it, with the folders above it, or replaces all of its content.',
      'A file that exists must have been read with Read before, and must not have changed since. To change a part of a file, use Edit.',
      'Line endings, encoding and mode of an existing file are kept.',
    ].join('\n'),
  description: ({ file_path }) => `Write ${file_path}`,
  permissionTarget: ({ file_path }) => ({
    kind: 'paths',
    paths: [{ path: file_path, access: 'write' }],
  }),
  toAutoClassifierInput: ({ file_path, content }) => `${file_path}: ${content}`,

  validateInput: ({ file_path }, context) => validateWrite(file_path, context.files),

  async call({ file_path, content }, context): Promise<ToolResult<WriteOutput>> {
    const { files } = context;
    const { readFileState, editor } = files;
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const lone = findLoneSurrogate(content);
    if (lone >= 0) {
      throw new ToolInputError(
        'Write',
        `The content holds half of a character (a lone surrogate) at index ${lone}, which no file can store. Nothing was written.`,
      );
    }
    const path = await resolveTarget(context.files, file_path, 'write');
    const found = await readWholeFile(path, signal);
    const previous = found && (await asInEditor(found, editor, signal));
    if (previous !== undefined) requireRead(readFileState, previous);
    const { bytes, before, after } = toStored(content, previous?.bytes);
    const diff = before === undefined ? undefined : await diffHunks(before, after);
    readFileState.set(path, await replaceFile(path, bytes, previous, signal, files));
    const written = {
      filePath: path,
      bytesWritten: bytes.length,
      ...(diff !== undefined && { diff }),
    };
    const change = { path, text: after, before: previous && (before ?? '') };
    const reported = await reportErrors(context.files, [change], signal);
    return previous === undefined
      ? { data: { ...written, created: true }, ...reported }
      : { data: { ...written, created: false, previousSize: previous.bytes.length }, ...reported };
  },

  present: (output) => presentDiff([output]),
  mapToolResultToToolResultBlockParam: (output: WriteOutput, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `${output.created ? 'Created' : 'Replaced the content of'} ${output.filePath} (${output.bytesWritten} bytes).`,
  }),
});

/** The content as the file stores it: with the encoding and the line endings of the previous content. */
function toStored(
  content: string,
  previous: Buffer | undefined,
): { readonly bytes: Buffer; readonly before: string | undefined; readonly after: string } {
  if (previous === undefined)
    return { bytes: encodeText(content, 'utf-8'), before: '', after: content };
  const encoding = detectEncoding(previous);
  const before = decodeExactly(previous, encoding);
  if (before === undefined) return { bytes: encodeText(content, 'utf-8'), before, after: content };
  const isCrlf = lineEndingOf(before) === '\r\n' && lineEndingOf(content) === '\n';
  const after = isCrlf ? content.replaceAll('\n', '\r\n') : content;
  return { bytes: encodeText(after, encoding), before, after };
}
