import { join } from 'node:path';
import { followingLinks } from '../files/following-links.js';
import { managedFolders, userFolders, type Environment } from '../files/folders.js';
import { readGitStatus } from '../git/git-status.js';
import { CONTEXT_SOURCES, loadMemory, type ContextSource } from './memory/load-memory.js';
import type { MemoryFileInfo } from './memory/memory-file.js';
import type { OutputStyle } from './output-style.js';
import { requireTexts } from '../core/text/require-text.js';
import { given } from '../core/json/given.js';

/**
 * Facts of the folder for prompts, beside its path and the day. They are read once and do not change during a session.
 */
export type SessionContext = {
  /** Files of instructions, weakest first. */
  readonly memory?: readonly MemoryFileInfo[];
  /**
   * Sources of the instructions of folders below the working folder. An agent reads them when it uses a file there;
   * never if absent.
   */
  readonly subfolders?: readonly ContextSource[];
  /** Absolute path of the folder of the notes that teams share; absent: teams have none. */
  readonly teamNotes?: string;
  /** Absolute path of the folder of the notes of earlier sessions; the one in `~/.claude/projects` if absent. */
  readonly notes?: string;
  /** Patterns of absolute paths of instructions that are left out there. */
  readonly excludes?: readonly string[];
  /** How the main agent answers, unless the session replaces its system prompt. */
  readonly outputStyle?: OutputStyle;
  /** Language of the main agent's answers. */
  readonly language?: string;
  /** How agents end commit messages and descriptions of pull requests. */
  readonly attribution?: string;
  /** Branch, status and newest commits. */
  readonly gitStatus?: string;
};

/** Sources of the context. */
export type LoadContextOptions = {
  /** Absolute path of the folder that agents will work in. */
  readonly cwd: string;
  /** Environment with `HOME`, `CLAUDE_CONFIG_DIR` and `TROUPE_HOME`; that of the process if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Sources of instructions: the user's for all projects, the project's, the user's for this project (`local`). All if
   * absent.
   */
  readonly sources?: readonly ContextSource[];
  /** Patterns of absolute paths of instructions that are left out, such as those of `claudeMdExcludes` in settings. */
  readonly excludes?: readonly string[];
  /** Absolute paths of more folders with instructions, weaker than those above `cwd`. */
  readonly additionalFolders?: readonly string[];
  /** False: the notes of earlier sessions in `~/.claude/projects` are left out. */
  readonly hasNotes?: boolean;
  /** Absolute path of the folder of those notes, if it is another one. */
  readonly notes?: string | undefined;
  /**
   * Whether the folder is trusted; called only if it matters. If not, links and imports of the project that lead out of it
   * are left out. Trusted if absent.
   */
  readonly isTrusted?: () => boolean | Promise<boolean>;
};

/** The context of a folder, and warnings. */
export type LoadedContext = {
  /** For the option `context` of `createOrchestrator`. */
  readonly context: SessionContext;
  /** Files that could not be used, and why, one line each. */
  readonly warnings: readonly string[];
};

/**
 * Read the instructions of a folder and the state of its repository. An invalid file is left out, with a warning.
 *
 * @throws UsageError if `cwd` is missing
 * @example const { context, warnings } = await loadContext({ cwd }) const troupe = createOrchestrator({ cwd, context })
 */
export async function loadContext(options: LoadContextOptions): Promise<LoadedContext> {
  const {
    cwd,
    env = process.env,
    sources = CONTEXT_SOURCES,
    excludes = [],
    isTrusted = () => true,
    ...more
  } = requireTexts('loadContext', options, ['cwd']);
  const place = { cwd, folders: userFolders(env), managed: managedInstructions(env) };
  const load = (followsLinks: boolean): ReturnType<typeof loadMemory> =>
    loadMemory({ ...more, ...place, sources, excludes, followsLinks });
  const [{ memory, teamNotes, ...loaded }, { gitStatus, ...git }] = await Promise.all([
    followingLinks(load, isTrusted),
    readGitStatus({ cwd, env }),
  ]);
  return {
    context: {
      memory,
      subfolders: sources,
      excludes,
      ...given({ teamNotes, notes: more.notes, gitStatus }),
    },
    warnings: [...loaded.warnings, ...git.warnings],
  };
}

/** The instructions of a manager: beside the managed settings. */
function managedInstructions(env: Environment): readonly string[] {
  return managedFolders(env).map((folder) => join(folder, 'CLAUDE.md'));
}
