import type { PermissionMode, ToolPermissionContext } from '../../core/permission-types.js';
import { stripDangerousRules } from './dangerous-rules.js';

/** From strict to lax. A sub-agent's mode is never laxer than its parent's. */
const STRICTNESS: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  dontAsk: 1,
  default: 2,
  bubble: 2,
  acceptEdits: 3,
  auto: 4,
  bypassPermissions: 5,
};

/** The stricter of two modes; the sub-agent's own if both are equal. */
export function stricterMode(parent: PermissionMode, child: PermissionMode): PermissionMode {
  return STRICTNESS[child] <= STRICTNESS[parent] ? child : parent;
}

/** The context of a sub-agent: its parent's rules, and a mode that is never laxer. */
export function deriveChildContext(
  parent: ToolPermissionContext,
  { mode = parent.mode }: { readonly mode?: PermissionMode } = {},
): ToolPermissionContext {
  const child = stricterMode(modeInForce(parent), modeInForce({ ...parent, mode }));
  if (parent.mode === 'dontAsk' && child !== 'dontAsk') {
    return { ...parent, mode: child, shouldAvoidPermissionPrompts: true }; // plan mode asks, but must not ask the parent
  }
  if (child === 'auto') return stripDangerousRules({ ...parent, mode: child }); // the rules that a parent in `auto` set aside stay aside
  return { ...parent, mode: child };
}

/** Without a classifier, `auto` decides as `default` does. */
export function modeInForce({
  mode,
  isAutoModeAvailable,
}: Pick<ToolPermissionContext, 'mode' | 'isAutoModeAvailable'>): PermissionMode {
  return mode === 'auto' && isAutoModeAvailable !== true ? 'default' : mode;
}
