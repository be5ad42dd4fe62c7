import { copyFile, lstat, mkdir, readdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { isInside } from '../../files/is-inside.js';

/** Most files and folders of one plugin. */
const MOST_ENTRIES = 50_000;
const MOST_DEPTH = 40;
const MOST_BYTES = 1_000_000_000;

/**
 * Copy the folder of a plugin. A link to a place in the plugin stays a link, a link to another place of its marketplace
 * becomes a copy, and any other link is left out, as published. `.git` and special files are left out.
 *
 * @param around folder of the marketplace, if the plugin is in it
 * @throws UsageError for a plugin that is too large
 */
export async function copyPlugin(from: string, to: string, around?: string): Promise<void> {
  const root = await realpath(from);
  const outer = around === undefined ? root : await realpath(around);
  let entries = 0;
  let bytes = 0;
  const copy = async (source: string, target: string, depth: number): Promise<void> => {
    if ((entries += 1) > MOST_ENTRIES)
      throw new UsageError('The plugin has more than 50,000 files and folders.', { file: from });
    if (depth > MOST_DEPTH)
      throw new UsageError(`The plugin has folders nested more than ${MOST_DEPTH} deep.`, {
        file: from,
      });
    const stats = await lstat(source);
    if (stats.isDirectory()) {
      await mkdir(target, { recursive: true });
      for (const name of await readdir(source))
        if (name !== '.git') await copy(join(source, name), join(target, name), depth + 1);
    } else if (stats.isFile()) {
      if ((bytes += stats.size) > MOST_BYTES)
        throw new UsageError('The plugin has more than 1,000 MB.', { file: from });
      await copyFile(source, target);
    } else if (stats.isSymbolicLink()) await copyLink(source, target, depth);
  };
  const copyLink = async (source: string, target: string, depth: number): Promise<void> => {
    const real = await realpath(source).catch(() => undefined); // a broken link
    if (real === undefined) return;
    if (isInside(real, root)) await symlink(relative(dirname(source), real), target);
    else if (isInside(real, outer)) await copy(real, target, depth + 1);
  };
  await copy(root, to, 0);
}
