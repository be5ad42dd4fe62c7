import { join } from 'node:path';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { kindOfEntry } from './kind-of-entry.js';
import { isInside } from '../../files/is-inside.js';
import { realPathOf } from './plan-mounts.js';

/** Path of a submodule; `hasOwn`: it has submodules itself. */
export type Submodule = { readonly path: string; readonly hasOwn: boolean };

/**
 * The submodules that a worktree names, and those within them.
 *
 * @param root absolute, without links
 */
export function submodulesOf(root: string): readonly Submodule[] {
  return pathsIn(join(root, '.gitmodules')).flatMap((written) => {
    const path = join(root, written);
    if (path === root || !isInside(path, root)) return [];
    const real = realPathOf(path);
    if (real !== undefined && real !== path) return []; // git does not follow a link to a submodule
    const hasOwn = kindOfEntry(join(path, '.gitmodules')) === 'file';
    return [{ path, hasOwn }, ...(hasOwn ? submodulesOf(path) : [])];
  });
}

function pathsIn(file: string): readonly string[] {
  if (kindOfEntry(file) !== 'file') return [];
  const read = readPlantedFile(file);
  if (read.status !== 'read') return [];
  return read.text.split('\n').flatMap((line) => {
    const value = /^\s*path\s*=\s*(.*?)\s*$/i.exec(line)?.[1];
    if (value === undefined || value === '') return [];
    return [value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value];
  });
}
