import { dirname, join } from 'node:path';
import { PROTECTED_NAMES } from '../../permissions/paths/protected.js';
import { kindOfEntry } from './kind-of-entry.js';
import type { Mount } from './mount.js';
import { realPathOf, RUNTIME, TEMPORARY } from './plan-mounts.js';
import { isInside } from '../../files/is-inside.js';

/** Hides secrets, under the path where they really are. @param visible what is writable: named by the user himself */
export function hideSecrets(
  secrets: readonly string[],
  visible: readonly string[],
): readonly Mount[] {
  const found = [...new Set(secrets)].flatMap((path) => realPathOf(path) ?? []);
  const real = [...new Set(found)].filter((path) => !visible.includes(path));
  /** Unless what is writable brings it back. */
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
 * The folders on the way from what is writable to what is hidden. One of them could be renamed otherwise, and the next
 * command would find the secret under a name that nobody hides.
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
