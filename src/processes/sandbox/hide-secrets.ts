import { dirname, join } from 'node:path';
import { PROTECTED_NAMES } from '../../permissions/paths/protected.js';
import { kindOfEntry } from './kind-of-entry.js';
import type { Mount } from './mount.js';
import { realPathOf, RUNTIME, TEMPORARY } from './plan-mounts.js';
import { isInside } from '../../files/is-inside.js';

/** Hide secrets at their real paths. @param visible writable paths that the user named */
export function hideSecrets(
  secrets: readonly string[],
  visible: readonly string[],
): readonly Mount[] {
  const found = [...new Set(secrets)].flatMap((path) => realPathOf(path) ?? []);
  const real = [...new Set(found)].filter((path) => !visible.includes(path));
  /** Whether the folder hides the path and no visible path opens it again. */
  const hides = (folder: string, path: string): boolean =>
    isInside(path, folder) &&
    !visible.some((root) => isInside(root, folder) && isInside(path, root));
  return real
    .filter((path) => !real.some((other) => other !== path && hides(other, path)))
    .filter((path) => ![TEMPORARY, RUNTIME].some((place) => hides(place, path)))
    .map((path) => ({
      kind: kindOfEntry(path) === 'directory' ? 'empty' : 'unreadable',
      path,
    }));
}

/**
 * The folders between a writable folder and a hidden path in it. Without own mounts a command could rename one of them,
 * and the next command would find the secret at a path that is not hidden.
 */
export function heldInPlace(masks: readonly Mount[], visible: readonly string[]): readonly Mount[] {
  const closed = [
    TEMPORARY,
    RUNTIME,
    ...visible.flatMap((root) => PROTECTED_NAMES.directories.map((name) => join(root, name))),
  ];
  const folders = new Set<string>();
  for (const root of visible) {
    const isClosed = (path: string): boolean =>
      closed.some((folder) => isInside(path, folder) && !isInside(root, folder));
    for (const { path } of masks.filter((mask) => isInside(mask.path, root)))
      for (let folder = dirname(path); folder !== root && isInside(folder, root);) {
        if (!isClosed(folder)) folders.add(folder);
        folder = dirname(folder);
      }
  }
  return [...folders].map((path) => ({ kind: 'writable', path }));
}
