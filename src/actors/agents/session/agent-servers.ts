import type { AgentDefinition } from '../../../core/agents/agent-definition.js';
import type { McpServerStatus } from '../../../core/agents/mcp-types.js';
import type { TaskId } from '../../../core/ids.js';
import type { Tool } from '../../../tools/tool.js';
import type { ServerOfferings } from './server-offerings.js';

/** The MCP servers that agents have for themselves, by the tasks of the agents. */
export interface AgentServers {
  /**
   * Start the own servers of an agent, and report the servers that it names and that the session does not have.
   *
   * @param known names of the servers of the session
   * @returns undefined for an agent without own servers
   */
  open(
    taskId: TaskId,
    definition: AgentDefinition,
    known: readonly string[],
    listeners: ServerListeners,
  ): OwnServers | undefined;
  /** End the servers of a task. Resolves when none of their processes is left. */
  close(taskId: TaskId): Promise<void>;
}

export type ServerListeners = {
  readonly onStatus: (status: McpServerStatus) => void;
  readonly onNote: (server: string, text: string) => void;
  /** Call `listener` when the folders of the session may have changed. @returns a function that stops it */
  readonly watchFolders: (listener: () => void) => () => void;
};

/** The own servers of one agent. */
export type OwnServers = {
  /** The tools, when each server has connected or failed. Never rejects. */
  readonly ready: Promise<readonly Tool[]>;
  /** The tools of the connected servers at present. */
  tools(): readonly Tool[];
  /** List the tools of the servers again. Never rejects. */
  refresh(): Promise<void>;
  /** Call `listener` when a server has other tools. @returns a function that stops it */
  onChange(listener: () => void): () => void;
  readonly offerings: ServerOfferings;
};
