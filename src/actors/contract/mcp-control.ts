import type { McpServers } from '../../extensions/mcp/servers/server-config.js';

/** The result of {@link McpControl.set}. */
export type McpSetServersResult = {
  /** Servers that are new, or have another configuration. */
  readonly added: readonly string[];
  /** Servers that ended. */
  readonly removed: readonly string[];
  /** Why servers are not connected, by their names. */
  readonly errors: Readonly<Record<string, string>>;
};

/** Changes of the MCP servers of all sessions of an orchestrator. One happens at a time. */
export interface McpControl {
  /**
   * Replace the servers of earlier calls, and all servers inside the program. Other servers of options, files and plugins
   * stay until a call has named them. Resolves when the new ones have connected or failed.
   *
   * @throws UsageError for an invalid name; then nothing has changed
   */
  set(servers: McpServers): Promise<McpSetServersResult>;
  /**
   * Enable or disable a server. Agents have no tools of a disabled one.
   *
   * @throws UsageError for an unknown server, McpConnectError if it cannot be connected
   */
  toggle(name: string, isEnabled: boolean): Promise<void>;
  /**
   * Connect a server anew.
   *
   * @throws UsageError for an unknown or disabled server, McpConnectError if it cannot be connected
   */
  reconnect(name: string): Promise<void>;
}
