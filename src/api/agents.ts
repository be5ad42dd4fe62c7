/** Definitions of agents, for front ends. */
export { withBuiltInAgents, agentTypes } from '../context/built-in-agents.js';
export { AgentSpec, fieldsWithoutEffect } from '../extensions/agents/agent-spec.js';
export { loadAgents } from '../extensions/agents/load-agents.js';
