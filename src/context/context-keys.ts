import { userFolders } from '../files/folders.js';
import { readGitStatus } from '../git/git-status.js';
import { CONTEXT_SOURCES, loadMemory, type ContextSource } from './memory/load-memory.js';
import type { MemoryFileInfo } from './memory/memory-file.js';
import { requireTexts } from '../core/text/require-text.js';
import { given } from '../core/json/given.js';

/** What a session's prompts tell of the place it works in, beside folder and day. Read once: it stays as it was. */
export type SessionContext = {
  /** Files of instructions, weakest first. */
  readonly memory?: readonly MemoryFileInfo[];
  /** Branch, status and newest commits. */
  readonly gitStatus?: string;
};

/**
 * Reads the instructions that hold in a folder and the state of its repository.
 *
 * @param options.env where `HOME`, `CLAUDE_CONFIG_DIR` and `TROUPE_HOME` are looked up: usually `process.env`
 * @param options.sources whose instructions are read: the user's, the project's, the user's for this project; all where absent
 * @returns the context, and what could not be used, in words
 * @example
 * const { context, warnings } = await loadContext({ cwd })
 * const troupe = createOrchestrator({ cwd, context })
 */
export async function loadContext(options: {
  /** Absolute. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly sources?: readonly ContextSource[];
}): Promise<{ readonly context: SessionContext; readonly warnings: readonly string[] }> {
  const {
    cwd,
    env = process.env,
    sources = CONTEXT_SOURCES,
  } = requireTexts('loadContext', options, ['cwd']);
  const [{ memory, ...loaded }, { gitStatus, ...git }] = await Promise.all([
    loadMemory({ cwd, folders: userFolders(env), sources }),
    readGitStatus({ cwd, env }),
  ]);
  return {
    context: { memory, ...given({ gitStatus }) },
    warnings: [...loaded.warnings, ...git.warnings],
  };
}
