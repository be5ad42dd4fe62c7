import type { Tool } from '../../../tools/tool.js';

/** What the agents of a session wait for before their first request. */
export interface SessionStartup {
  /** The tools that there are by now. */
  readonly tools: readonly Tool[];
  /** Resolves with all tools when the MCP servers have connected or failed; undefined if none is starting. */
  readonly servers: Promise<readonly Tool[]> | undefined;
  /** Resolves when the worktrees that earlier processes left are recovered; undefined if there is nothing to recover. */
  readonly worktrees: Promise<void> | undefined;
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
    get worktrees() {
      return worktrees;
    },
  };
}
