import type { Tool } from '../../../tools/tool.js';

/** The work that the agents of a session await before their first request. */
export interface SessionStartup {
  /** The tools that are available by now. */
  tools(): readonly Tool[];
  /** Resolves with all tools when the MCP servers have connected or failed; undefined if none is starting. */
  servers(): Promise<readonly Tool[]> | undefined;
  /** Resolves when the worktrees that earlier processes left are recovered; undefined if there is nothing to recover. */
  worktrees(): Promise<void> | undefined;
  /** Replace the tools that new agents get. */
  replaceTools(tools: readonly Tool[]): void;
}

export function createSessionStartup(
  builtIn: readonly Tool[],
  allTools: Promise<readonly Tool[]> | undefined,
  recovery: Promise<void> | undefined,
): SessionStartup {
  let tools = builtIn;
  let servers = allTools?.then((all) => {
    tools = all;
    servers = undefined;
    return all;
  });
  let worktrees = recovery?.finally(() => {
    worktrees = undefined;
  });
  return {
    tools: () => tools,
    servers: () => servers,
    replaceTools(all) {
      tools = all;
    },
    worktrees: () => worktrees,
  };
}
