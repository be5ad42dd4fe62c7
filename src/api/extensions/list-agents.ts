/** Every agent and where it is defined, for front ends. */
export { listAgents } from '../../extensions/agents/list-agents.js';
