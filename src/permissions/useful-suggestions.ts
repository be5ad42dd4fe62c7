import type { PermissionUpdate, ToolPermissionContext } from '../core/permission-types.js';
import { applyPermissionUpdate } from './modes/apply-update.js';
import type { ToolFacts } from './facts/facts.js';
import { judgeUse } from './judges/judge-use.js';

/** The suggestions that would really allow a tool call that no rule or safety check asks for. */
export function usefulSuggestions(
  suggestions: readonly PermissionUpdate[],
  facts: ToolFacts,
  context: ToolPermissionContext,
): readonly PermissionUpdate[] {
  return suggestions.filter((update) => {
    if (update.type === 'setMode' && update.mode === 'bypassPermissions') return false;
    return judgeUse(facts, applyPermissionUpdate(context, update)).behavior === 'allow';
  });
}
