/** The state of a server's connection; `closing` ends in `closed`. */
export type McpConnectionStatus =
  'connecting' | 'connected' | 'reconnecting' | 'failed' | 'closing' | 'closed';

/** One server that Troupe connects to. */
export type McpServerStatus = {
  /** Name of the server in `mcpServers`. */
  readonly name: string;
  /** The state of the connection. */
  readonly status: McpConnectionStatus;
  /** Why it is not connected, in words for people. */
  readonly problem?: string;
  /** The server failed because it wants a login of the user: `troupe mcp login`. */
  readonly needsLogin?: true;
};

/** A tool as its server describes it. */
export type McpToolDescriptor = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  /** Extensions of the protocol: only `anthropic/alwaysLoad` and `anthropic/searchHint` have an effect. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  /** The server's own hints: not to be trusted for permissions. */
  readonly annotations?:
    | {
        readonly title?: string | undefined;
        readonly readOnlyHint?: boolean | undefined;
        readonly destructiveHint?: boolean | undefined;
        readonly openWorldHint?: boolean | undefined;
      }
    | undefined;
};
