import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../core/errors.js';
import { describeSystemError } from '../core/system-error.js';

const PATIENCE_MS = 3_000;
const PAUSE_MS = 20;

/**
 * Replace a file, readable and writable by its owner only unless `mode` says otherwise: whole or not at all, with one
 * writer at a time over all processes. Writers wait for each other, and each reads the result of the one before.
 *
 * @param makeText runs while no other writer runs; if it rejects, the file does not change.
 * @param file in an existing folder, or in one that can be made in an existing folder.
 * @throws UsageError if another writer does not finish, or the file cannot be written.
 */
export async function replaceOwnFile(
  file: string,
  makeText: () => Promise<string>,
  mode = 0o600,
): Promise<void> {
  await makeFolder(dirname(file), file);
  const next = `${file}.lock`; // the lock file becomes the new content
  const handle = await openAlone(next, file);
  try {
    await handle.writeFile(await makeText());
    await handle.chmod(mode & 0o777);
    await handle.sync();
    await handle.close();
    await rename(next, file);
  } catch (error) {
    await handle.close();
    await rm(next, { force: true });
    if (error instanceof Error && 'syscall' in error) throw cannotWrite(file, error); // a full disk, for example
    throw error;
  }
}

/** One level only: `mkdir -p` never ends in a file system that cannot hold it (`/proc`). */
async function makeFolder(folder: string, file: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw cannotWrite(file, error);
  }
}

function cannotWrite(file: string, error: unknown): UsageError {
  const why = describeSystemError(error);
  return new UsageError(`The file cannot be written: ${why}.`, { file }, { cause: error });
}

async function openAlone(path: string, file: string): ReturnType<typeof open> {
  for (const until = performance.now() + PATIENCE_MS; ; await delay(PAUSE_MS)) {
    try {
      return await open(path, 'wx', 0o600);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!isTaken) throw cannotWrite(file, error);
      if (performance.now() > until)
        throw new UsageError(
          `Another troupe is writing the file. If none runs, remove ${path} and try again.`,
          { file },
        );
    }
  }
}
