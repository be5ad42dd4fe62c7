import { join } from 'node:path';
import { findWorkTree, foldersDownTo, realRoots, type UserFolders } from '../../files/folders.js';
import {
  createMemoryCollector,
  type MemoryCollector,
  type MemorySource,
} from './collect-memory.js';
import type { MemoryFileInfo } from './memory-file.js';

/** The sources of instructions and agents. */
export type ContextSource = 'user' | 'project' | 'local';
export const CONTEXT_SOURCES: readonly ContextSource[] = ['user', 'project', 'local'];

export type LoadedMemory = {
  readonly memory: readonly MemoryFileInfo[];
  /** Files that were left out, and why, one line each. */
  readonly warnings: readonly string[];
};

/**
 * Read the instructions of a folder, weakest first: the user's own, then those of each folder from the root of the file
 * system down to `cwd`. A folder has them in CLAUDE.md, .claude/CLAUDE.md or, if it has neither, AGENTS.md; then in
 * .claude/rules, then in CLAUDE.local.md. Invalid files are left out with a warning.
 */
export async function loadMemory({
  cwd,
  folders,
  sources = CONTEXT_SOURCES,
}: {
  readonly cwd: string;
  readonly folders: UserFolders;
  readonly sources?: readonly ContextSource[];
}): Promise<LoadedMemory> {
  const collector = createMemoryCollector(folders);
  const user: MemorySource = {
    type: 'User',
    roots: realRoots(folders.claude, folders.home),
  };
  const project = findWorkTree(cwd) ?? cwd;

  if (sources.includes('user')) {
    await collector.add(join(folders.claude, 'CLAUDE.md'), user);
    await collector.addRules(join(folders.claude, 'rules'), user);
  }
  for (const folder of foldersDownTo(cwd))
    await addFolder(collector, { folder, roots: realRoots(folder, project), sources });
  return { memory: collector.files, warnings: collector.warnings };
}

/** Read the instructions of one folder below `project`, a real path that they must be in. */
export async function loadFolderMemory({
  folder,
  project,
  home,
  sources,
}: {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly sources: readonly ContextSource[];
}): Promise<LoadedMemory> {
  const collector = createMemoryCollector({ home });
  await addFolder(collector, { folder, roots: [project], sources });
  return { memory: collector.files, warnings: collector.warnings };
}

async function addFolder(
  collector: MemoryCollector,
  {
    folder,
    roots,
    sources,
  }: {
    readonly folder: string;
    readonly roots: readonly string[];
    readonly sources: readonly ContextSource[];
  },
): Promise<void> {
  if (sources.includes('project')) {
    const shared: MemorySource = { type: 'Project', roots, root: folder };
    const hasOwn = await collector.add(join(folder, 'CLAUDE.md'), shared);
    const hasHidden = await collector.add(join(folder, '.claude', 'CLAUDE.md'), shared);
    if (!hasOwn && !hasHidden) await collector.add(join(folder, 'AGENTS.md'), shared);
    await collector.addRules(join(folder, '.claude', 'rules'), shared);
  }
  if (sources.includes('local'))
    await collector.add(join(folder, 'CLAUDE.local.md'), { type: 'Local', roots });
}
