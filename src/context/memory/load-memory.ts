import { join } from 'node:path';
import { given } from '../../core/json/given.js';
import {
  findWorkTree,
  foldersDownTo,
  realOf,
  realRoots,
  type UserFolders,
} from '../../files/folders.js';
import { findMainWorkTree } from '../../files/main-work-tree.js';
import { projectFolderName } from '../../files/project-folder-name.js';
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

/** The instructions of a session. */
type SessionMemory = LoadedMemory & {
  /** Folder of the notes that teams share; absent if notes are left out. */
  readonly teamNotes?: string;
};

/**
 * Read the instructions of a folder, weakest first: a manager's, the user's own, then the notes of earlier sessions and of teams, then those of each folder from the root of the file
 * system down to `cwd`. A folder has them in CLAUDE.md, .claude/CLAUDE.md or, if it has neither, AGENTS.md; then in
 * .claude/rules, then in CLAUDE.local.md. Invalid files are left out with a warning.
 */
export async function loadMemory({
  cwd,
  folders,
  managed = [],
  sources = CONTEXT_SOURCES,
  excludes = [],
  additionalFolders = [],
  hasNotes = true,
  notes = notesOfProject(findMainWorkTree(cwd) ?? cwd, folders),
  followsLinks = false,
}: {
  readonly cwd: string;
  readonly folders: UserFolders;
  /** Files of a manager. */
  readonly managed?: readonly string[];
  readonly sources?: readonly ContextSource[];
  /** Patterns of absolute paths that are left out. */
  readonly excludes?: readonly string[];
  /** Absolute paths of more folders, weaker than those above `cwd`. */
  readonly additionalFolders?: readonly string[];
  /** Whether the notes of earlier sessions are read. */
  readonly hasNotes?: boolean;
  /** Absolute path of the folder of the notes. */
  readonly notes?: string | undefined;
  /** Whether links and imports of the project may lead out of it. */
  readonly followsLinks?: boolean;
}): Promise<SessionMemory> {
  const collector = createMemoryCollector({ home: folders.home, excludes });
  const user: MemorySource = { type: 'User', roots: undefined };
  const rootsOf = (...place: Parameters<typeof realRoots>) =>
    followsLinks ? undefined : realRoots(...place);
  const project = findWorkTree(cwd) ?? cwd;

  for (const path of managed) await collector.add(path, { type: 'Managed', roots: undefined });
  if (sources.includes('user')) {
    await collector.add(join(folders.claude, 'CLAUDE.md'), user);
    await collector.addRules(join(folders.claude, 'rules'), user);
    if (hasNotes) {
      const limited = { roots: [realOf(notes)], isNotes: true }; // agents write them
      await collector.add(join(notes, 'MEMORY.md'), { ...limited, type: 'AutoMem' });
      await collector.add(join(notes, 'team', 'MEMORY.md'), { ...limited, type: 'TeamMem' });
    }
  }
  for (const folder of additionalFolders)
    await addFolder(collector, { folder, roots: rootsOf(folder), sources });
  for (const folder of foldersDownTo(cwd))
    await addFolder(collector, { folder, roots: rootsOf(folder, project), sources });
  const teamNotes = hasNotes && sources.includes('user') ? join(notes, 'team') : undefined;
  return { memory: collector.files, warnings: collector.warnings, ...given({ teamNotes }) };
}

/** The folder of the notes about a project, by the root of its work tree. */
export function notesOfProject(project: string, { claude }: Pick<UserFolders, 'claude'>): string {
  return join(claude, 'projects', projectFolderName(project), 'memory');
}

/** Read the instructions of one folder below `project`, a real path that they must be in; anywhere if undefined. */
export async function loadFolderMemory({
  folder,
  project,
  home,
  sources,
  excludes,
}: {
  readonly folder: string;
  readonly project: string | undefined;
  readonly home: string;
  readonly sources: readonly ContextSource[];
  readonly excludes: readonly string[];
}): Promise<LoadedMemory> {
  const collector = createMemoryCollector({ home, excludes });
  await addFolder(collector, {
    folder,
    roots: project === undefined ? undefined : [project],
    sources,
  });
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
    readonly roots: readonly string[] | undefined;
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
