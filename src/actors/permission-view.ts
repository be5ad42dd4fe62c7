import type { ToolPermissionContext } from '../core/permission-types.js';
import { deriveChildContext } from '../permissions/modes.js';
import type { AppStateStore } from './app-state-store.js';
import type { NewAgent } from './session-types.js';

/** The agent's rules of any moment: its parent's, or the session's, with a mode that is as strict or stricter. */
export function createPermissionView(
  { definition, parent, permissionMode }: NewAgent,
  store: AppStateStore,
): () => ToolPermissionContext {
  const mode = permissionMode ?? definition.permissionMode;
  const denied = definition.disallowedTools;
  let base: ToolPermissionContext | undefined;
  let derived: ToolPermissionContext | undefined;
  return () => {
    const newest = parent?.parts.permissionContext() ?? store.getState().toolPermissionContext;
    if (newest === base && derived !== undefined) return derived;
    base = newest;
    derived = mode === undefined ? newest : deriveChildContext(newest, { mode });
    if (denied !== undefined) derived = withDenied(derived, denied);
    return derived;
  };
}

/** What a definition takes away is denied below it too, however deep. */
function withDenied(
  context: ToolPermissionContext,
  denied: readonly string[],
): ToolPermissionContext {
  const { alwaysDenyRules } = context;
  const session = [...(alwaysDenyRules.session ?? []), ...denied];
  return { ...context, alwaysDenyRules: { ...alwaysDenyRules, session } };
}
