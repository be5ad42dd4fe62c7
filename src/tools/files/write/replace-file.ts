import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  renameSync,
  unlinkSync,
  type BigIntStats,
} from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { FileState } from '../../capabilities/file-state-cache.js';
import { errnoOf, FileError, toFileError } from '../../../files/file-error.js';
import type { EditorFiles } from '../../capabilities/editor-files.js';
import type { FileHistory } from '../../capabilities/file-history.js';
import { isForEditor, writeInEditor } from '../access/in-editor.js';
import { nearestFolder } from '../access/missing-file.js';
import { digestOf, toFileState, type KnownFile, type Replacement } from '../access/known-file.js';
import { pinFolder, type PinnedFolder } from '../../../files/pinned-folder.js';
import { checkUnchanged } from './check-unchanged.js';

/** The editor and the history of the session. */
type Around = {
  /** Writes the files that it has, and new ones. */
  readonly editor?: EditorFiles | undefined;
  /** Keeps the files first. */
  readonly history?: FileHistory | undefined;
};

/** Replace a file, or make one, as {@link replaceFiles} does. */
export async function replaceFile(
  path: string,
  bytes: Buffer,
  previous: KnownFile | undefined,
  signal: AbortSignal,
  around: Around = {},
): Promise<FileState> {
  const [state] = await replaceFiles([{ path, bytes, previous }], signal, around);
  return state as FileState; // one for each replacement
}

/**
 * Replace files, or make them: all of them or none. Mode (and owner, for root) stay. If a `previous` file is a different
 * one by now, or if a new file exists by now, this rejects with a {@link FileError} of reason `changed` and changes
 * nothing. All contents are written first and then moved; if a move fails, the files that were moved get their originals
 * back.
 *
 * @param replacements of different paths
 */
export async function replaceFiles(
  replacements: readonly Replacement[],
  signal: AbortSignal,
  { editor, history }: Around = {},
): Promise<readonly FileState[]> {
  await history?.keep(
    replacements.map(({ path, bytes, previous }) => {
      return { path, before: previous?.bytes, after: bytes };
    }),
  );
  const forEditor = replacements.filter((one) => isForEditor(one, editor));
  if (editor === undefined || forEditor.length === 0) return replaceOnDisk(replacements, signal);
  for (const { path } of forEditor) await makeFolders(path);
  const undo = await writeInEditor(forEditor, editor, signal);
  try {
    const rest = replacements.filter((one) => !forEditor.includes(one));
    const states = [...(await replaceOnDisk(rest, signal))];
    return replacements.map((one) =>
      forEditor.includes(one) ? stateInEditor(one) : (states.shift() as FileState),
    );
  } catch (error) {
    await undo();
    throw error;
  }
}

/** Make the folders above a file that an editor will make. */
async function makeFolders(path: string): Promise<void> {
  const entered: Entered[] = [];
  try {
    await enterFolder(dirname(path), entered);
  } catch (error) {
    throw toFileError(error, path, 'write');
  } finally {
    for (const { folder } of entered) await folder.close();
  }
}

function stateInEditor({ path, bytes }: Replacement): FileState {
  const mtimeMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return { mtimeMs, size: bytes.length, digest: digestOf(bytes) };
}

async function replaceOnDisk(
  replacements: readonly Replacement[],
  signal: AbortSignal,
): Promise<readonly FileState[]> {
  const entered: Entered[] = [];
  try {
    const written: Written[] = [];
    try {
      for (const replacement of replacements) {
        written.push(await writeBeside(replacement, entered));
        signal.throwIfAborted();
      }
      moveAllIntoPlace(written);
      return written.map(({ state }) => state);
    } finally {
      for (const { temporary } of written) await rm(temporary, { force: true });
    }
  } catch (error) {
    await removeEmptyFolders(entered);
    throw error;
  } finally {
    for (const { folder } of entered) await folder.close();
  }
}

/** A replacement whose content is in a temporary file beside its path. */
type Written = Replacement & {
  readonly folder: PinnedFolder;
  readonly temporary: string;
  readonly state: FileState;
};

async function writeBeside(replacement: Replacement, entered: Entered[]): Promise<Written> {
  const { path, bytes, previous } = replacement;
  try {
    const folder = await enterFolder(dirname(path), entered);
    const temporary = folder.at(`.${basename(path).slice(0, 100)}.${randomUUID()}.tmp`);
    try {
      const stats = await writeTemporary(temporary, bytes, previous?.stats);
      const state = toFileState(stats, digestOf(bytes));
      return { ...replacement, folder, temporary, state };
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw toFileError(error, path, 'write');
  }
}

/** A folder on the way to a file. The first one of each file existed and has no name, the others may have been made. */
type Entered = { readonly folder: PinnedFolder; readonly name?: string };

/** Open a folder from the nearest one that exists, and make the missing ones. @param entered grows. */
async function enterFolder(path: string, entered: Entered[]): Promise<PinnedFolder> {
  const existing = await nearestFolder(path);
  let folder = await pinFolder(existing, 'write');
  entered.push({ folder });
  for (const name of relative(existing, path).split(sep).filter(Boolean)) {
    folder = await folder.enter(name);
    entered.push({ folder, name });
  }
  return folder;
}

async function writeTemporary(
  path: string,
  bytes: Buffer,
  previous: BigIntStats | undefined,
): Promise<BigIntStats> {
  const handle = await open(path, 'wx', 0o666);
  try {
    if (previous !== undefined) {
      if (process.getuid?.() === 0) await handle.chown(Number(previous.uid), Number(previous.gid));
      await handle.chmod(Number(previous.mode & 0o7777n)); // after chown, which clears set-id bits
    }
    await handle.writeFile(bytes);
    await handle.sync();
    return await handle.stat({ bigint: true });
  } finally {
    await handle.close();
  }
}

/** Check once more and move synchronously: no other write of this process can come between. */
function moveAllIntoPlace(written: readonly Written[]): void {
  for (const one of written) checkUnchanged(one);
  const moved: Moved[] = [];
  for (const one of written) {
    try {
      moved.push(moveIntoPlace(one, one !== written.at(-1)));
    } catch (error) {
      const lost = moved.reverse().flatMap(restore);
      if (lost.length > 0) throw lostError(error, one.path, lost);
      throw toFileError(error, one.path, 'write');
    }
  }
  for (const { original } of moved) if (original !== undefined) unlinkSync(original);
}

/** A replacement in its place. The original, if there was one and other files follow, has a second name. */
type Moved = Written & { readonly place: string; readonly original?: string };

function moveIntoPlace(written: Written, keepsOriginal: boolean): Moved {
  const { path, previous, folder, temporary } = written;
  const place = folder.at(basename(path));
  if (previous === undefined) {
    moveToNewPath(temporary, place, path);
    return { ...written, place };
  }
  if (!keepsOriginal) {
    renameSync(temporary, place);
    return { ...written, place };
  }
  const original = keepOriginal(place, temporary);
  try {
    renameSync(temporary, place);
  } catch (error) {
    unlinkSync(original);
    throw error;
  }
  return { ...written, place, original };
}

function keepOriginal(place: string, temporary: string): string {
  const original = `${temporary.slice(0, -'.tmp'.length)}.old`;
  try {
    linkSync(place, original);
  } catch {
    copyFileSync(place, original, constants.COPYFILE_EXCL); // no links here
  }
  return original;
}

/** Undo a move. @returns what is lost if this fails */
function restore({ path, place, original }: Moved): string[] {
  try {
    if (original === undefined) unlinkSync(place);
    else renameSync(original, place);
    return [];
  } catch {
    if (original === undefined) return [`${path} is new and could not be removed.`];
    const kept = join(dirname(path), basename(original));
    return [`${path} is changed; its original is ${kept}.`];
  }
}

function lostError(cause: unknown, path: string, lost: readonly string[]): FileError {
  const message = `${path} could not be written, and the files that were changed with it could not all be restored. ${lost.join(' ')}`;
  return new FileError('refused', path, message, { cause });
}

/** A link, unlike a rename, fails for an existing path. Not every file system has links. */
function moveToNewPath(temporary: string, place: string, path: string): void {
  try {
    linkSync(temporary, place);
    unlinkSync(temporary);
    return;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw createdMeanwhile(path);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error) ?? '')) {
      throw error;
    }
  }
  if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) throw createdMeanwhile(path);
  renameSync(temporary, place);
}

function createdMeanwhile(path: string): FileError {
  return new FileError(
    'changed',
    path,
    `${path} was created by someone else meanwhile, so nothing was written. Read it first, then change it.`,
  );
}

/** Remove the folders that were made for files that could not be written, except those in use. */
async function removeEmptyFolders(entered: readonly Entered[]): Promise<void> {
  for (let index = entered.length - 1; index > 0; index--) {
    const name = entered[index]?.name;
    const above = entered[index - 1];
    if (name !== undefined) await above?.folder.removeFolder(name).catch(() => {}); // in use, or gone
  }
}
