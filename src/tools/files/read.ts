import type { FileReadingLimits } from '../tool-context-groups.js';
import { extname, resolve } from 'node:path';
import { z } from 'zod';
import { buildTool } from '../build-tool.js';
import { toFileError, FileError } from '../../files/file-error.js';
import { detectFileKind, SNIFFED_BYTES } from './file-kind.js';
import { Count, FilePath } from './input-fields.js';
import { digestOf, MAX_WHOLE_BYTES, openRegularFile, toFileState } from './known-file.js';
import { numberLines } from './line-window.js';
import { missingFileError } from './missing-file.js';
import { readTextWindow } from './read-text.js';
import { resolveTarget } from './resolve-path.js';

const DEFAULT_LIMIT = 2_000;
const DEFAULT_MAX_CHARS = 256 * 1024;
/** The API takes images of 5 MB after base64. */
const MAX_IMAGE_BYTES = 3_750_000;

export const ReadInput = z.object({
  file_path: FilePath.describe(
    'The file to read: an absolute path, or one relative to the working folder',
  ),
  offset: Count.optional().describe('The first line to read, counted from 1; 1 if left out'),
  limit: z.int().positive().optional().describe('How many lines to read at most; 2000 if left out'),
});
export type ReadInput = z.infer<typeof ReadInput>;

export type ReadOutput =
  | {
      readonly type: 'text';
      readonly filePath: string;
      /** Text for the model: numbered lines and, if there is more to know, a note in brackets. */
      readonly content: string;
      /** Number of lines of the file; undefined if reading stopped before its end. */
      readonly lineCount: number | undefined;
      readonly fileSize: number;
      readonly fileType: string;
      readonly truncated: boolean;
      /** The first line that was read. */
      readonly offset: number;
      /** Number of lines that were read. */
      readonly limit: number;
    }
  | {
      readonly type: 'image';
      readonly filePath: string;
      readonly mediaType: string;
      /** Base64. */
      readonly data: string;
      readonly fileSize: number;
      readonly fileType: string;
    };

/**
 * Reads a text file by lines, or an image, in bounded memory for any size. Remembers what it read, which Write and Edit
 * require. Rejects with a {@link FileError}; for a missing file it suggests similar names.
 */
export const ReadTool = buildTool({
  name: 'Read',
  searchHint: 'show the content of a file or image',
  inputSchema: ReadInput,
  maxResultSizeChars: Infinity, // already limited; a stored copy would only be read again
  prompt: () =>
    [
      'Reads a file. Text comes with line numbers as `cat -n` prints them: number, tab, line; they are not part of the file.',
      `Reads ${DEFAULT_LIMIT} lines from the start unless offset and limit say otherwise; lines above 2000 characters are cut.`,
      'Shows PNG, JPEG, GIF and WebP images. Reads notebooks as JSON text. Does not read PDF or other binary files, or folders (use Glob).',
      'A file must be read before Write or Edit may change it.',
    ].join('\n'),
  description: ({ file_path }) => `Read ${file_path}`,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  permissionTarget: ({ file_path }) => ({
    kind: 'paths',
    paths: [{ path: file_path, access: 'read' }],
  }),

  async call({ file_path, offset, limit = DEFAULT_LIMIT }, context): Promise<{ data: ReadOutput }> {
    const { cwd, readFileState, fileReadingLimits } = context.files;
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const path = await resolveTarget(context.files, file_path, 'read');
    const opened = await openRegularFile(path);
    if (opened === undefined) throw await missingFileError(resolve(cwd, file_path), cwd);
    const { handle, stats } = opened;
    const fileType = extname(path).slice(1);
    try {
      const start = Buffer.alloc(SNIFFED_BYTES);
      const { bytesRead } = await handle.read(start, 0, SNIFFED_BYTES, 0);
      const kind = detectFileKind(start.subarray(0, bytesRead));
      if (kind.type === 'pdf' || kind.type === 'binary') throw unsupportedError(path, kind.type);
      if (kind.type === 'image') {
        if (stats.size > BigInt(MAX_IMAGE_BYTES)) throw imageTooLargeError(path, stats.size);
        const bytes = await handle.readFile({ signal });
        readFileState.set(path, toFileState(stats, digestOf(bytes)));
        const data = bytes.toString('base64');
        const { mediaType } = kind;
        return {
          data: {
            type: 'image',
            filePath: path,
            mediaType,
            data,
            fileSize: bytes.length,
            fileType,
          },
        };
      }
      const first = Math.max(1, offset ?? 1);
      const {
        lines,
        seen,
        isCut,
        bytesRead: size,
        digest,
      } = await readTextWindow(handle, {
        first,
        limit,
        maxChars: mostCharsOf(fileReadingLimits),
        stopsEarly: stats.size > BigInt(MAX_WHOLE_BYTES),
        signal,
      });
      const lineCount = digest === undefined ? undefined : seen;
      if (digest !== undefined) {
        readFileState.set(path, { ...toFileState(stats, digest), size });
      }
      const note = noteFor({ path, first, shown: lines.length, lineCount, isCut });
      const content = [numberLines(lines, first), note].filter(Boolean).join('\n');
      return {
        data: {
          type: 'text',
          filePath: path,
          content,
          lineCount,
          fileSize: Math.max(size, Number(stats.size)),
          fileType,
          truncated: lineCount === undefined || first - 1 + lines.length < lineCount,
          offset: first,
          limit: lines.length,
        },
      };
    } catch (error) {
      throw toFileError(error, path, 'read');
    } finally {
      await handle.close();
    }
  },

  mapToolResultToToolResultBlockParam(output: ReadOutput, toolUseId) {
    if (output.type === 'text') {
      return { type: 'tool_result', tool_use_id: toolUseId, content: output.content };
    }
    const { mediaType: media_type, data } = output;
    return {
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: [{ type: 'image', source: { type: 'base64', media_type, data } }],
    };
  },
});

/** Return the facts that the lines alone do not show: that the file is empty, or that there is more. */
function noteFor(read: {
  readonly path: string;
  readonly first: number;
  readonly shown: number;
  readonly lineCount: number | undefined;
  readonly isCut: boolean;
}): string {
  const { path, first, shown, lineCount, isCut } = read;
  if (lineCount === 0) return `[${path} exists and is empty.]`;
  if (shown === 0)
    return `[${path} has ${lineCount ?? 'fewer'} lines; line ${first} is past its end.]`;
  const last = first - 1 + shown;
  if (lineCount !== undefined && last >= lineCount) return '';
  const why = isCut ? ', which is as much text as one call gives' : '';
  return `[Lines ${first}-${last} of ${lineCount ?? 'more'}${why}. Read on with offset ${last + 1}.]`;
}

function unsupportedError(path: string, kind: 'pdf' | 'binary'): FileError {
  const message =
    kind === 'pdf'
      ? `${path} is a PDF, which Read does not support. Turn it into text with Bash (for example pdftotext) and read that.`
      : `${path} is a binary file, which Read does not support. Look at it with Bash (file, xxd, strings).`;
  return new FileError('unsupported', path, message);
}

function imageTooLargeError(path: string, size: bigint): FileError {
  const message = `${path} is an image of ${size} bytes; at most ${MAX_IMAGE_BYTES} can be shown. Make a smaller copy with Bash and read that.`;
  return new FileError('too_large', path, message);
}

const CHARS_PER_TOKEN = 4;

/** The limits of the caller only lower that of the tool. */
function mostCharsOf({ maxSizeBytes, maxTokens }: FileReadingLimits = {}): number {
  const most = Math.min(maxSizeBytes ?? Infinity, (maxTokens ?? Infinity) * CHARS_PER_TOKEN);
  return Math.min(most, DEFAULT_MAX_CHARS);
}
