/** Definitions of agents, for front ends. */
export { withBuiltInAgents } from '../../context/built-in-agents.js';
export { AgentSpec } from '../../extensions/agents/agent-spec.js';
export { withReadServers } from '../../extensions/agents/agent-servers.js';
