import { normalisePath } from './normalise.js';
import type { PathFact, PathInFolders, ShellPath } from './path-fact.js';

export function isInFolders(path: ShellPath): path is PathInFolders {
  return 'folders' in path;
}

/** The path in one of the folders, not resolved. */
export function inFolder({ name, access, marks }: PathInFolders, folder: string): PathFact {
  const given = `${folder}/${name}`;
  return { given, lexical: normalisePath(given), access, ...marks };
}

/** Each path by itself. */
export function spreadOut(paths: readonly ShellPath[]): readonly PathFact[] {
  return paths.flatMap((path) =>
    isInFolders(path)
      ? path.folders.map((folder) => {
          const fact = inFolder(path, folder);
          return { ...fact, resolved: fact.lexical };
        })
      : [path],
  );
}

/** Folders in their order: those that are taken together, in lists, and each other one by itself. */
export type Runs = readonly (string | readonly string[])[];

export function runsOf(folders: readonly string[], isShared: (folder: string) => boolean): Runs {
  const runs: (string | string[])[] = [];
  for (const folder of folders) {
    const last = runs.at(-1);
    if (!isShared(folder)) runs.push(folder);
    else if (typeof last === 'object') last.push(folder);
    else runs.push([folder]);
  }
  return runs.map((run) => (run.length === 1 && typeof run === 'object' ? run[0]! : run)); // never empty
}
