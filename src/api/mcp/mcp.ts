/** MCP servers from a front end. */
export { LONGEST_TIMER_MS } from '../../core/time/duration.js';
export { loadMcpConfig } from '../../extensions/mcp/servers/load-config.js';
export { createRelayServer } from '../../extensions/mcp/transport/sdk-relay-server.js';
export { problemOfServerName } from '../../extensions/mcp/servers/server-config.js';
