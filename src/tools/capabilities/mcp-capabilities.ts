import type {
  McpResource,
  McpResourceContent,
  McpResourceTemplate,
} from '../../core/agents/mcp-offerings.js';

/** How the resources of a server are listed. */
export type ListResourcesOptions = {
  /** True: ask the server again, whatever it has said before. */
  readonly refresh?: boolean;
};

/** The resources of MCP servers, for the tools of agents. */
export interface McpCapabilities {
  /** The names of the servers. */
  readonly servers: readonly string[];
  /**
   * The resources of a server; none if it offers no resources.
   *
   * @throws McpConnectError, McpToolError, or the signal's reason
   */
  listResources(
    server: string,
    signal: AbortSignal,
    options?: ListResourcesOptions,
  ): Promise<readonly McpResource[]>;
  /** The templates of a server, like its resources. */
  listResourceTemplates(
    server: string,
    signal: AbortSignal,
    options?: ListResourcesOptions,
  ): Promise<readonly McpResourceTemplate[]>;
  /** Read a resource. @throws McpConnectError, McpToolError, or the signal's reason */
  readResource(
    server: string,
    uri: string,
    signal: AbortSignal,
  ): Promise<readonly McpResourceContent[]>;
}
