/** How a server's connection stands; `closing` ends in `closed`. */
export type McpConnectionStatus =
  'connecting' | 'connected' | 'reconnecting' | 'failed' | 'closing' | 'closed';

/** One server that Troupe connects to. */
export type McpServerStatus = {
  /** Name of the server in `mcpServers`. */
  readonly name: string;
  /** How the connection stands. */
  readonly status: McpConnectionStatus;
  /** Why it is not connected, in words for people. */
  readonly problem?: string;
};

/** A tool as its server describes it. */
export type McpToolDescriptor = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  /** What the server says of it: not to be trusted where a permission hangs on it. */
  readonly annotations?:
    | {
        readonly title?: string | undefined;
        readonly readOnlyHint?: boolean | undefined;
        readonly destructiveHint?: boolean | undefined;
      }
    | undefined;
};
