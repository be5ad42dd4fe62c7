import { dirname, join } from 'node:path';
import { PROTECTED_NAMES } from '../../permissions/paths/protected.js';
import { kindOfEntry } from './kind-of-entry.js';
import type { Mount } from './mount.js';
import { realPathOf } from './plan-mounts.js';
import { holdPlaceholders, isPlaceholder, type PlaceholderKind } from './placeholders.js';
import { submodulesOf } from './submodules.js';

export type ProtectedRoot = {
  readonly mounts: readonly Mount[];
  /** Paths to remove after the command. */
  readonly litter: readonly string[];
  /** Placeholder files, below the root. */
  readonly files: readonly string[];
};

/**
 * Make the protected paths of a workspace folder read-only, also missing ones, and the links of its submodules to their
 * repositories, since git follows these whenever it looks at the worktree.
 *
 * @param isOpen whether the settings name the path as writable
 * @param empty an empty folder @param emptyObject a JSON file with an empty object: an empty file cannot be parsed
 */
export function protectRoot(
  root: string,
  {
    isOpen,
    isInWorkspace,
    empty,
    emptyObject,
    holder,
  }: {
    readonly isOpen: (path: string) => boolean;
    readonly isInWorkspace: (path: string) => boolean;
    readonly empty: string;
    readonly emptyObject: string;
    readonly holder: string;
  },
): ProtectedRoot {
  const mounts: Mount[] = [];
  const wanted = new Map<string, PlaceholderKind>();

  function protect(path: string, missing: PlaceholderKind): void {
    if (isOpen(path)) return;
    for (const parent of foldersBetween(root, path)) {
      const kind = kindOfEntry(parent);
      if (kind === 'missing' || isPlaceholder(parent)) wanted.set(parent, 'directory');
      if (kind !== 'directory' || isPlaceholder(parent)) return;
      mounts.push({ kind: 'writable', path: parent }); // its own mount, so that it cannot be moved away
    }
    const kind = kindOfEntry(path);
    if (kind === 'missing' || isPlaceholder(path)) wanted.set(path, missing);
    else if (kind !== 'link') mounts.push({ kind: 'readOnly', path });
    else {
      const target = realPathOf(path);
      if (target !== undefined && isInWorkspace(target))
        mounts.push({ kind: 'readOnly', path: target });
    }
  }

  for (const name of PROTECTED_NAMES.directories) protect(join(root, name), 'directory');
  for (const name of PROTECTED_NAMES.files) protect(join(root, name), 'file');
  for (const { path, hasOwn } of submodulesOf(root)) {
    const link = join(path, '.git');
    protect(kindOfEntry(link) === 'missing' ? path : link, 'directory'); // git stops at an empty folder
    if (hasOwn) protect(join(path, '.gitmodules'), 'file');
  }
  const litter = holdPlaceholders(root, wanted, holder);
  const files: string[] = [];
  for (const path of wanted.keys()) {
    const kind = kindOfEntry(path);
    if (kind === 'directory') mounts.push({ kind: 'shown', path, source: empty });
    if (kind !== 'file') continue;
    mounts.push(
      path.endsWith('.json')
        ? { kind: 'shown', path, source: emptyObject }
        : { kind: 'readOnly', path },
    );
    files.push(path);
  }
  return { mounts, litter, files };
}

/** Outermost first. */
function foldersBetween(root: string, path: string): readonly string[] {
  const parent = dirname(path);
  return parent === root ? [] : [...foldersBetween(root, parent), parent];
}
