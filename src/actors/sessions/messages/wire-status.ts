import type { McpConnectionStatus, McpServerStatus } from '../../../core/agents/mcp-types.js';

const WIRE_STATUS = {
  connecting: 'pending',
  connected: 'connected',
  reconnecting: 'pending',
  failed: 'failed',
  closing: 'disabled',
  closed: 'disabled',
} as const satisfies Record<McpConnectionStatus, string>;

/** The state of a connection to an MCP server, in the words of the Agent SDK. */
export type WireStatus = (typeof WIRE_STATUS)[McpConnectionStatus] | 'needs-auth';

/** Translate a status into the words of the contract. */
export function toWireStatus({
  status,
  needsLogin,
}: Pick<McpServerStatus, 'status' | 'needsLogin'>): WireStatus {
  return needsLogin === true ? 'needs-auth' : WIRE_STATUS[status];
}
