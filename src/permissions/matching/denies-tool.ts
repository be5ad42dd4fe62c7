import type { ToolPermissionContext } from '../../core/permission-types.js';
import { compiledRules } from '../rules/compiled-rules.js';
import { otherNamesOf, type Named } from '../rules/tool-aliases.js';
import { matchesToolName } from '../rules/tool-name.js';

/** Drop the tools that a deny rule names as a whole, under any of their names. An agent does not see them. */
export function filterToolsByDenyRules<T extends Named>(
  tools: readonly T[],
  context: ToolPermissionContext,
): readonly T[] {
  return tools.filter(
    (tool) => ![tool.name, ...otherNamesOf(tool)].some((one) => deniesTool(context, one)),
  );
}

/** Whether a deny rule names the tool as a whole. The model does not see such a tool. */
export function deniesTool(context: ToolPermissionContext, toolName: string): boolean {
  return compiledRules(context).deny.some(
    ({ rule: { value } }) =>
      (value.ruleContent === undefined || value.ruleContent === '*') &&
      matchesToolName(value.toolName, toolName, 'deny'),
  );
}
