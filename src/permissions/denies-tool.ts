import type { ToolPermissionContext } from '../core/permission-types.js';
import { compiledRules } from './compiled-rules.js';
import { matchesToolName } from './tool-name.js';

/** Whether a deny rule names the tool as a whole: then the model is not even told of it. */
export function deniesTool(context: ToolPermissionContext, toolName: string): boolean {
  return compiledRules(context).deny.some(
    ({ rule: { value } }) =>
      (value.ruleContent === undefined || value.ruleContent === '*') &&
      matchesToolName(value.toolName, toolName, 'deny'),
  );
}
