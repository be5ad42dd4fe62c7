import type { PermissionResult } from '../../core/decision-types.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import { describeRule, rulesOf } from '../../permissions/rules/rule.js';
import { inToolNames, matchesToolName } from '../../permissions/rules/tool-name.js';

/** The decision of the rules for all tools of a server, such as `mcp__files`, on its resources. */
export function judgeByServer(
  server: string,
  context: ToolPermissionContext | undefined,
): PermissionResult {
  const anyTool = `mcp__${inToolNames(server)}__`;
  for (const behavior of ['deny', 'ask', 'allow'] as const)
    for (const rule of context === undefined ? [] : rulesOf(context, behavior)) {
      const { toolName, ruleContent } = rule.value;
      if (ruleContent !== undefined || !matchesToolName(toolName, anyTool, behavior)) continue;
      const message = `The rule ${describeRule(rule)} covers the resources of "${server}".`;
      const decisionReason = { type: 'rule', rule } as const;
      return behavior === 'allow'
        ? { behavior, decisionReason }
        : { behavior, message, decisionReason };
    }
  return { behavior: 'passthrough' };
}
