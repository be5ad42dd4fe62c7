import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_ENTRIES = 5_000;

/** Whether the file at a path has a second name (a hard link). An unreadable path counts as having one. */
export async function hasOtherNames(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isFile() && found.nlink > 1;
  } catch (error) {
    return !isMissing(error);
  }
}

/** Like {@link hasOtherNames}, also for each file below a folder; a folder with too many files counts as having one. */
export async function holdsOtherNames(path: string): Promise<boolean> {
  const pending = [path];
  let seen = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (await hasOtherNames(folder)) return true;
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      seen += entries.length;
      if (seen > MAX_ENTRIES) return true;
      const files: string[] = [];
      for (const entry of entries) {
        if (entry.isDirectory()) pending.push(join(folder, entry.name));
        else files.push(join(folder, entry.name));
      }
      if ((await Promise.all(files.map(hasOtherNames))).includes(true)) return true;
    } catch (error) {
      if (!isMissing(error)) return true; // a file has nothing below it
    }
  }
  return false;
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return error.code === 'ENOENT' || error.code === 'ENOTDIR';
}
