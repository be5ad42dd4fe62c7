import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { FileError } from '../../../files/file-error.js';
import { ToolInputError } from '../../tool-input-error.js';
import type { ToolUseFiles } from '../../tool-context-groups.js';
import { asInEditor } from '../access/in-editor.js';
import { detectFileKind, SNIFFED_BYTES } from '../content/file-kind.js';
import { digestOf, MAX_WHOLE_BYTES, toFileState } from '../access/known-file.js';
import { MAX_PDF_PAGES, parsePages } from './pdf-pages.js';
import type { ReadOutput } from './read-output.js';
import { readTextWindow } from './read-text.js';
import { MAX_IMAGE_BYTES } from '../content/show-image.js';
import { decodeExactly, detectEncoding } from '../content/text-encoding.js';

export const DEFAULT_LIMIT = 2_000;
const DEFAULT_MAX_CHARS = 256 * 1024;
const CHARS_PER_TOKEN = 4;

/** The wanted part of a file. */
export type WantedPart = {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly pages?: string | undefined;
};

/** A regular file that is open for reading. */
export type OpenFile = {
  readonly path: string;
  readonly handle: Pick<FileHandle, 'read' | 'readFile'>;
  readonly stats: BigIntStats;
  readonly fileType: string;
};

/** Read a file as what it is: text, an image, a notebook or a PDF. */
export async function readByKind(
  file: OpenFile,
  input: WantedPart,
  files: ToolUseFiles,
  signal: AbortSignal,
): Promise<ReadOutput> {
  const { path, handle, fileType } = file;
  const start = Buffer.alloc(SNIFFED_BYTES);
  const { bytesRead } = await handle.read(start, 0, SNIFFED_BYTES, 0);
  const kind = detectFileKind(start.subarray(0, bytesRead));
  if (input.pages !== undefined && kind.type !== 'pdf')
    throw inputError(`${path} is not a PDF, and pages are those of a PDF. Leave pages out.`);
  switch (kind.type) {
    case 'image':
      return readImage(file, kind.mediaType, files, signal);
    case 'pdf':
      return readPdfFile(file, input, files, signal);
    case 'binary':
      throw binaryError(path);
    case 'text': {
      if (fileType.toLowerCase() !== 'ipynb')
        return readText(await shownFile(file, files, signal), input, files, signal);
      return readNotebook(file, input, files, signal);
    }
    default:
      return kind satisfies never;
  }
}

/** A text file as an editor shows it; a larger one is read from disk, in parts. */
async function shownFile(
  file: OpenFile,
  { editor }: ToolUseFiles,
  signal: AbortSignal,
): Promise<OpenFile> {
  const { path, handle, stats } = file;
  if (editor === undefined || stats.size > BigInt(MAX_WHOLE_BYTES)) return file;
  const bytes = Buffer.alloc(Number(stats.size));
  await handle.read(bytes, 0, bytes.length, 0);
  const known = { path, bytes, stats, state: toFileState(stats, digestOf(bytes)) };
  const shown = await asInEditor(known, editor, signal);
  return shown.bytes === bytes ? file : { ...file, handle: handleOf(shown.bytes) };
}

/** Bytes that are read like a file. */
function handleOf(bytes: Buffer): OpenFile['handle'] {
  return {
    read(buffer: Buffer, offset: number, length: number, position: number) {
      const bytesRead = bytes.copy(buffer, offset, position, position + length);
      return Promise.resolve({ bytesRead, buffer });
    },
    readFile: () => Promise.resolve(bytes),
  } as OpenFile['handle']; // the overloads of Node, of which readers use this one
}

/** Read the whole file, and remember it. */
async function readAll(
  { path, handle, stats }: OpenFile,
  { readFileState }: ToolUseFiles,
  signal: AbortSignal,
): Promise<Buffer> {
  const bytes = await handle.readFile({ signal });
  readFileState.set(path, toFileState(stats, digestOf(bytes)));
  return bytes;
}

async function readImage(
  file: OpenFile,
  mediaType: string,
  files: ToolUseFiles,
  signal: AbortSignal,
): Promise<ReadOutput> {
  const { path, stats, fileType } = file;
  if (stats.size > BigInt(MAX_IMAGE_BYTES)) throw imageTooLargeError(path, stats.size);
  const bytes = await readAll(file, files, signal);
  const data = bytes.toString('base64');
  return { type: 'image', filePath: path, mediaType, data, fileSize: bytes.length, fileType };
}

async function readPdfFile(
  file: OpenFile,
  { offset, limit, pages: wanted }: WantedPart,
  files: ToolUseFiles,
  signal: AbortSignal,
): Promise<ReadOutput> {
  const { path, stats, fileType } = file;
  if (offset !== undefined || limit !== undefined)
    throw inputError(`${path} is a PDF: choose its pages with pages, not with offset and limit.`);
  if (stats.size > BigInt(MAX_WHOLE_BYTES)) throw pdfTooLargeError(path, stats.size);
  const range = parsePages(wanted ?? `1-${MAX_PDF_PAGES}`);
  if (typeof range === 'string') throw inputError(`pages: ${range}.`); // the schema refuses it before
  const bytes = await readAll(file, files, signal);
  const { readPdf } = await import('./read-pdf.js');
  const { pageCount, pages } = await readPdf(path, bytes, range, signal);
  const kept = withinChars(pages, maxCharsOf(files));
  return {
    type: 'pdf',
    filePath: path,
    fileSize: bytes.length,
    fileType,
    pages: kept,
    pageCount,
    offset: range.first,
    truncated: range.first - 1 + kept.length < pageCount,
  };
}

/** The first pages that are not longer together, but at least one. */
function withinChars<Page extends { readonly text: string }>(
  pages: readonly Page[],
  most: number,
): readonly Page[] {
  let chars = 0;
  const end = pages.findIndex(({ text }, index) => (chars += text.length) > most && index > 0);
  return end < 0 ? pages : pages.slice(0, end);
}

/** A file that is not a notebook after all is shown as text, so that it can be repaired. */
async function readNotebook(
  file: OpenFile,
  input: WantedPart,
  files: ToolUseFiles,
  signal: AbortSignal,
): Promise<ReadOutput> {
  const { path, stats, fileType } = file;
  const [{ MAX_NOTEBOOK_BYTES, parseNotebook }, { showNotebook }] = await Promise.all([
    import('../notebook/notebook.js'),
    import('../notebook/show-notebook.js'),
  ]);
  const asText = async (why: string): Promise<ReadOutput> => {
    const output = await readText(file, input, files, signal);
    if (output.type !== 'text') return output;
    const shownAsText = `[${path} is shown as text: ${why}.]`;
    return { ...output, note: [output.note, shownAsText].filter(Boolean).join('\n') };
  };
  if (stats.size > BigInt(MAX_NOTEBOOK_BYTES)) return asText('it is too large for cells');
  const bytes = await readAll(file, files, signal);
  const text = decodeExactly(bytes, detectEncoding(bytes));
  const parsed = text === undefined ? undefined : parseNotebook(text);
  if (parsed?.ok !== true) return asText(parsed?.problem.replace(/\.$/, '') ?? 'it is not UTF-8');
  const first = Math.max(1, input.offset ?? 1);
  const { notebook } = parsed;
  const { cells, language } = showNotebook(notebook, path, {
    first,
    limit: input.limit ?? Infinity,
    maxChars: maxCharsOf(files),
  });
  const cellCount = notebook.cells.length;
  return {
    type: 'notebook',
    filePath: path,
    fileSize: bytes.length,
    fileType,
    cells,
    language,
    cellCount,
    offset: first,
    truncated: first - 1 + cells.length < cellCount,
  };
}

async function readText(
  { path, handle, stats, fileType }: OpenFile,
  { offset, limit = DEFAULT_LIMIT }: WantedPart,
  files: ToolUseFiles,
  signal: AbortSignal,
): Promise<ReadOutput> {
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
    maxChars: maxCharsOf(files),
    stopsEarly: stats.size > BigInt(MAX_WHOLE_BYTES),
    signal,
  });
  const lineCount = digest === undefined ? undefined : seen;
  if (digest !== undefined) {
    files.readFileState.set(path, { ...toFileState(stats, digest), size });
  }
  const note = noteFor({ path, first, shown: lines.length, lineCount, isCut });
  return {
    type: 'text',
    filePath: path,
    content: lines.join('\n'),
    note,
    lineCount,
    fileSize: Math.max(size, Number(stats.size)),
    fileType,
    truncated: lineCount === undefined || first - 1 + lines.length < lineCount,
    offset: first,
    limit: lines.length,
  };
}

/** The limits of the caller only lower that of the tool. */
function maxCharsOf({ fileReadingLimits: { maxSizeBytes, maxTokens } = {} }: ToolUseFiles): number {
  const most = Math.min(maxSizeBytes ?? Infinity, (maxTokens ?? Infinity) * CHARS_PER_TOKEN);
  return Math.min(most, DEFAULT_MAX_CHARS);
}

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

function binaryError(path: string): FileError {
  const message = `${path} is a binary file, which Read does not support. Look at it with Bash (file, xxd, strings).`;
  return new FileError('unsupported', path, message);
}

function inputError(message: string): ToolInputError {
  return new ToolInputError('Read', message);
}

function imageTooLargeError(path: string, size: bigint): FileError {
  const message = `${path} is an image of ${size} bytes; at most ${MAX_IMAGE_BYTES} can be shown. Make a smaller copy with Bash and read that.`;
  return new FileError('too_large', path, message);
}

function pdfTooLargeError(path: string, size: bigint): FileError {
  const message = `${path} is a PDF of ${size} bytes; at most ${MAX_WHOLE_BYTES} can be read. Turn its pages into text with Bash (for example pdftotext).`;
  return new FileError('too_large', path, message);
}
