import { agentTypes, withBuiltInAgents } from '../../context/built-in-agents.js';
import { loadAgents } from '../../extensions/agents/load-agents.js';
import type { KnownNames } from '../../permissions/rules/rule-problems.js';
import { toolNames } from '../tools/tools.js';

/** Names of tools and agents that the rules of a run in a folder may use. */
export async function loadKnownNames(
  folder: Parameters<typeof loadAgents>[0],
): Promise<KnownNames> {
  const { agents } = await loadAgents(folder);
  return { tools: toolNames(), agents: agentTypes(withBuiltInAgents(agents)) };
}
