import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { isSameAgentType } from '../../core/agents/agent-type.js';
import { parseRule } from '../../permissions/rules/rule.js';

/**
 * The agents that an agent may start: all, or those that its `tools` name, as in `Agent(Explore, worker)`. A copy of
 * itself is always allowed.
 */
export function startableAgents(
  { tools = [] }: Pick<AgentDefinition, 'tools'>,
  definitions: readonly AgentDefinition[],
): readonly AgentDefinition[] {
  const rules = tools.flatMap((text) => {
    const rule = parseRule(text);
    const isForAgents = rule.ok && /^(?:Agent|Task)$/.test(rule.value.toolName);
    return isForAgents ? [rule.value.ruleContent] : [];
  });
  if (rules.length === 0 || rules.some((content) => content === undefined || content === '*'))
    return definitions;
  const types = rules.flatMap((content) => (content ?? '').split(',').map((type) => type.trim()));
  return definitions.filter(({ name }) => types.some((type) => isSameAgentType(type, name)));
}
