import type { ToolPermissionContext } from '../core/permission-types.js';
import { compiledRules } from './compiled-rules.js';
import { matchesToolName } from './tool-name.js';

type Named = { readonly name: string; readonly aliases?: readonly string[] };

/** The tools that no deny rule names as a whole, by whatever name: an agent is not told of the others. */
export function filterToolsByDenyRules<T extends Named>(
  tools: readonly T[],
  context: ToolPermissionContext,
): readonly T[] {
  return tools.filter(
    ({ name, aliases = [] }) => ![name, ...aliases].some((one) => deniesTool(context, one)),
  );
}

/** Whether a deny rule names the tool as a whole: then the model is not even told of it. */
export function deniesTool(context: ToolPermissionContext, toolName: string): boolean {
  return compiledRules(context).deny.some(
    ({ rule: { value } }) =>
      (value.ruleContent === undefined || value.ruleContent === '*') &&
      matchesToolName(value.toolName, toolName, 'deny'),
  );
}
