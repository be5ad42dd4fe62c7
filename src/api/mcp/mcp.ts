/** MCP servers from a front end. */
export { LONGEST_TIMER_MS } from '../../core/time/duration.js';
export { loadMcpConfig } from '../../extensions/mcp/load-config.js';
export { createRelayServer } from '../../extensions/mcp/sdk-relay-server.js';
export { problemOfServerName } from '../../extensions/mcp/server-config.js';
