import { nearestName } from '../../core/text/nearest-name.js';
import { parseRule, SOURCE_LABELS } from './rule.js';
import { EFFECTS, tellRuleProblem, type WrittenRule } from './rule-problems.js';
import { inToolNames, matchesToolName } from './tool-name.js';

/**
 * Describe the rules for a tool that its MCP server does not have, one line each.
 *
 * @param tools names of the tools of all connected servers; rules for other servers are not checked
 */
export function describeUnknownServerTools(
  rules: readonly WrittenRule[],
  tools: readonly string[],
): readonly string[] {
  const lines = rules.flatMap((rule) => {
    const parsed = parseRule(rule.text);
    if (!parsed.ok) return []; // reported before the servers start
    const { toolName } = parsed.value;
    const [, server = '', ...rest] = inToolNames(toolName).split('__');
    const name = rest.join('__');
    const prefix = `mcp__${server}__`;
    const own = tools.filter((tool) => tool.startsWith(prefix));
    if (!toolName.startsWith('mcp__') || name === '' || name.includes('*') || own.length === 0)
      return [];
    if (own.some((tool) => matchesToolName(toolName, tool, rule.behavior))) return [];
    const names = own.map((tool) => tool.slice(prefix.length));
    const nearest = nearestName(name, names, 3);
    const hint =
      nearest === undefined ? `It has ${names.join(', ')}.` : `Did you mean ${prefix}${nearest}?`;
    const problem = `${EFFECTS[rule.behavior]}: the MCP server "${server}" has no tool "${name}". ${hint}`;
    return [tellRuleProblem({ rule, problem }, SOURCE_LABELS[rule.source])];
  });
  return [...new Set(lines)];
}
