import { dirname, join, relative } from 'node:path';
import { findWorkTree, foldersDownTo, realRoots } from '../../files/folders.js';
import { isInside } from '../../files/is-inside.js';
import { loadFolderMemory, type ContextSource, type LoadedMemory } from './load-memory.js';
import { matchGlobs } from './match-globs.js';
import type { MemoryFileInfo } from './memory-file.js';

/** Finds the instructions that belong to one file, beside those for all files. */
export interface MemoryOfFiles {
  /**
   * Return the rules with patterns that match the file, and the instructions of the folders between the working folder and the file.
   * Each folder is read once; its warnings are returned once.
   *
   * @param path absolute
   * @param workingFolder the agent's: the folder of the session, or its place in a worktree
   */
  find(path: string, workingFolder: string): Promise<LoadedMemory>;
}

/**
 * @param cwd folder of the session
 * @param subfolders sources of the instructions of folders
 */
export function createMemoryOfFiles({
  memory,
  subfolders,
  excludes,
  cwd,
  home,
  followsLinks,
}: {
  readonly memory: readonly MemoryFileInfo[];
  readonly subfolders: readonly ContextSource[];
  /** Patterns of absolute paths that are left out. */
  readonly excludes: readonly string[];
  readonly cwd: string;
  readonly home: string;
  /** Whether links and imports may lead out of the project. */
  readonly followsLinks: boolean;
}): MemoryOfFiles {
  const known = new Set(memory.map(({ path }) => path));
  const rules = rulesOf(memory, cwd);
  const folders = new Map<string, Promise<LoadedMemory>>();

  const load = (folder: string, workingFolder: string): Promise<LoadedMemory> => {
    const [project = workingFolder] = realRoots(findWorkTree(workingFolder) ?? workingFolder);
    return loadFolderMemory({
      folder,
      project: followsLinks ? undefined : project,
      home,
      sources: subfolders,
      excludes,
    });
  };

  return {
    async find(path, workingFolder) {
      const inside = isInside(path, workingFolder);
      const place = inside ? join(cwd, relative(workingFolder, path)) : path;
      const found = rules.filter(({ matches }) => matches(place)).map(({ file }) => file);
      const warnings: string[] = [];
      if (!inside || subfolders.length === 0) return { memory: found, warnings };
      for (const folder of foldersDownTo(dirname(path), workingFolder).slice(1)) {
        const isFirst = !folders.has(folder);
        const loading = folders.get(folder) ?? load(folder, workingFolder);
        folders.set(folder, loading);
        const loaded = await loading;
        if (isFirst) warnings.push(...loaded.warnings);
        const unscoped = loaded.memory.filter(({ globs }) => globs === undefined);
        const scoped = rulesOf(loaded.memory, folder).filter(({ matches }) => matches(path));
        found.push(...unscoped, ...scoped.map(({ file }) => file));
      }
      return {
        memory: found.filter((file) => file.globs !== undefined || !known.has(file.path)),
        warnings,
      };
    },
  };
}

type Rule = { readonly file: MemoryFileInfo; readonly matches: (path: string) => boolean };

function rulesOf(memory: readonly MemoryFileInfo[], cwd: string): readonly Rule[] {
  return memory.flatMap((file) => {
    if (file.globs === undefined) return [];
    const { root = cwd } = file;
    const matches = matchGlobs(file.globs);
    return [{ file, matches: (path) => isInside(path, root) && matches(relative(root, path)) }];
  });
}
