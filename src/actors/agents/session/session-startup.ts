import type { Tool } from '../../../tools/tool.js';

/** The work that the agents of a session await before their first request. */
export interface SessionStartup {
  /** The tools that are available by now. */
  readonly tools: readonly Tool[];
  /** Resolves with all tools when the MCP servers have connected or failed; undefined if none is starting. */
  readonly servers: Promise<readonly Tool[]> | undefined;
  /** Resolves when the worktrees that earlier processes left are recovered; undefined if there is nothing to recover. */
  readonly worktrees: Promise<void> | undefined;
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
    get tools() {
      return tools;
    },
    get servers() {
      return servers;
    },
    replaceTools(all) {
      tools = all;
    },
    get worktrees() {
      return worktrees;
    },
  };
}
