import { extname, resolve } from 'node:path';
import { z } from 'zod';
import { toFileError } from '../../files/file-error.js';
import { completeTool } from '../complete-tool.js';
import { Count, FilePath } from './access/input-fields.js';
import { ReadResult } from './output-schemas.js';
import { openRegularFile } from './access/known-file.js';
import { missingFileError } from './access/missing-file.js';
import { MAX_PDF_PAGES, parsePages } from './read/pdf-pages.js';
import { DEFAULT_LIMIT, readByKind } from './read/read-by-kind.js';
import { contentOf, summaryOf, type ReadOutput } from './read/read-output.js';
import { resolveTarget } from './access/resolve-path.js';

export const ReadInput = z.object({
  file_path: FilePath.describe(
    'The file to read: an absolute path, or one relative to the working folder',
  ),
  offset: Count.optional().describe(
    'The first line to read, counted from 1; 1 if left out. The first cell of a notebook',
  ),
  limit: z
    .int()
    .positive()
    .optional()
    .describe('How many lines to read at most; 2000 if left out. How many cells of a notebook'),
  pages: z
    .string()
    .superRefine((text, { addIssue }) => {
      const range = parsePages(text);
      if (typeof range === 'string') addIssue({ code: 'custom', message: range });
    })
    .optional()
    .describe(
      `The pages of a PDF file to read, such as "3" or "1-5": at most ${MAX_PDF_PAGES}; the first ${MAX_PDF_PAGES} if left out`,
    ),
});
export type ReadInput = z.infer<typeof ReadInput>;

/**
 * Reads a text file by lines, an image, the cells of a notebook, or the text of a PDF, in bounded memory for any size.
 * Remembers the file, which the tools that change files require. Rejects with a `FileError`; for a missing file it
 * suggests similar names.
 */
export const ReadTool = completeTool({
  name: 'Read',
  searchHint: 'show the content of a file, image, notebook or PDF',
  inputSchema: ReadInput,
  outputSchema: ReadResult,
  maxResultSizeChars: Infinity, // already limited; a stored copy would only be read again
  prompt: () =>
    [
      'Reads a file. Text comes with line numbers as `cat -n` prints them: number, tab, line; they are not part of the file.',
      `Reads ${DEFAULT_LIMIT} lines from the start unless offset and limit say otherwise; lines above 2000 characters are cut.`,
      'Shows PNG, JPEG, GIF and WebP images, and Jupyter notebooks (.ipynb) as cells with their ids, sources and outputs.',
      `Shows the text of PDF files, up to ${MAX_PDF_PAGES} pages a call: choose them with pages (for example "21-40"). Does not read other binary files, or folders (use Glob).`,
      'A file must be read before another tool may change it.',
    ].join('\n'),
  description: ({ file_path }) => `Read ${file_path}`,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  permissionTarget: ({ file_path }) => ({
    kind: 'paths',
    paths: [{ path: file_path, access: 'read' }],
  }),

  async call(input, { files, call }): Promise<{ data: ReadOutput }> {
    const { signal } = call.abortController;
    signal.throwIfAborted();
    const path = await resolveTarget(files, input.file_path, 'read');
    const opened = await openRegularFile(path);
    if (opened === undefined)
      throw await missingFileError(resolve(files.cwd, input.file_path), files.cwd);
    try {
      const file = { ...opened, path, fileType: extname(path).slice(1) };
      return { data: await readByKind(file, input, files, signal) };
    } catch (error) {
      throw toFileError(error, path, 'read');
    } finally {
      await opened.handle.close();
    }
  },

  present: (output) => ({ kind: 'summary', text: summaryOf(output) }),
  mapToolResultToToolResultBlockParam: (output: ReadOutput, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: contentOf(output),
  }),
});
