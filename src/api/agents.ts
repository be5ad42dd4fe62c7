/** Definitions of agents, for front ends. */
export { withBuiltInAgents } from '../context/built-in-agents.js';
export { AgentSpec, fieldsWithoutEffect } from '../extensions/agents/agent-spec.js';
