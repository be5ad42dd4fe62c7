import { lstatSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../../core/errors.js';
import { FileError } from '../../../files/file-error.js';
import type { EditorFiles } from '../../capabilities/editor-files.js';
import { changedError, digestOf, type KnownFile, type Replacement } from './known-file.js';
import { decodeExactly, detectEncoding, lineEndingOf } from '../content/text-encoding.js';

/**
 * A file as the editor has it: its text may have changes that are not saved. The file on disk if the editor does not have it,
 * and if it is not UTF-8 text.
 */
export async function asInEditor(
  file: KnownFile,
  editor: EditorFiles | undefined,
  signal: AbortSignal,
): Promise<KnownFile> {
  if (editor === undefined) return file;
  const saved = textOf(file.bytes);
  if (saved === undefined) return file;
  const shown = await readShown(file.path, editor, signal);
  if (shown === undefined) return file;
  if (unified(shown) === unified(saved)) return { ...file, isInEditor: true };
  const bytes = Buffer.from(withEndingsOf(saved, shown), 'utf8');
  const state = { ...file.state, size: bytes.length, digest: digestOf(bytes) };
  return { ...file, bytes, state, isInEditor: true };
}

/** Whether the editor writes this: UTF-8 text of a file that it has, or of a new file. */
export function isForEditor(
  { bytes, previous }: Replacement,
  editor: EditorFiles | undefined,
): boolean {
  if (editor === undefined || textOf(bytes) === undefined) return false;
  return previous === undefined || previous.isInEditor === true;
}

/**
 * Write texts through the editor: all of them or none.
 *
 * @returns a function that takes the writes back
 * @throws FileError of the reason `changed` if a file has changed since it was read, in the editor or on disk
 */
export async function writeInEditor(
  texts: readonly Replacement[],
  editor: EditorFiles,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const written: Replacement[] = [];
  const undo = async (): Promise<void> => {
    for (const one of written.toReversed()) await takeBack(one, editor);
  };
  try {
    for (const one of texts) {
      signal.throwIfAborted();
      await checkInPlace(one, editor, signal);
      await write(one.path, textOf(one.bytes) ?? '', editor);
      written.push(one);
    }
    return undo;
  } catch (error) {
    await undo();
    throw error;
  }
}

async function write(path: string, text: string, { writeText }: EditorFiles): Promise<void> {
  try {
    await writeText(path, text);
  } catch (error) {
    const message = `The editor could not write ${path}: ${messageOf(error)}`;
    throw new FileError('refused', path, message, { cause: error });
  }
}

async function takeBack({ path, previous }: Replacement, editor: EditorFiles): Promise<void> {
  if (previous === undefined) return rm(path, { force: true });
  return write(path, textOf(previous.bytes) ?? '', editor);
}

/** The last look before a write: the path leads to the approved file, and both texts of it are those that were read. */
async function checkInPlace(
  { path, previous }: Replacement,
  editor: EditorFiles,
  signal: AbortSignal,
): Promise<void> {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const isInPlace = realpathSync(dirname(path)) === dirname(path);
  const isSame =
    previous === undefined
      ? now === undefined
      : now !== undefined &&
        (['dev', 'ino', 'size', 'mtimeNs'] as const).every(
          (key) => now[key] === previous.stats[key],
        );
  if (!isInPlace || !isSame) throw changedError(path);
  if (previous === undefined) return;
  const shown = await readShown(path, editor, signal);
  const known = textOf(previous.bytes);
  if (shown === undefined || known === undefined || unified(shown) !== unified(known))
    throw changedError(path);
}

/** The text that the editor shows; undefined if it does not have the file. */
async function readShown(
  path: string,
  { readText }: Pick<EditorFiles, 'readText'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await readText(path, { signal });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Undefined if the bytes are not UTF-8 text without a mark. */
function textOf(bytes: Buffer): string | undefined {
  const encoding = detectEncoding(bytes);
  const text = encoding === 'utf-8' ? decodeExactly(bytes, encoding) : undefined;
  return text?.includes('\0') === true ? undefined : text;
}

/** Editors keep line endings apart from the text. */
function unified(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function withEndingsOf(model: string, text: string): string {
  return lineEndingOf(model) === '\r\n' ? unified(text).replaceAll('\n', '\r\n') : text;
}
