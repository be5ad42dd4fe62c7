import type { PermissionMode, ToolPermissionContext } from '../core/permission-types.js';
import { stripDangerousRules } from './dangerous-rules.js';

/** From strict to lax: a child must never be let do what its parent would have to ask for. */
const STRICTNESS: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  dontAsk: 1,
  default: 2,
  bubble: 2,
  acceptEdits: 3,
  auto: 4,
  bypassPermissions: 5,
};

/** The stricter of two modes; between equals the child's own. */
export function stricterMode(parent: PermissionMode, child: PermissionMode): PermissionMode {
  return STRICTNESS[child] <= STRICTNESS[parent] ? child : parent;
}

/** The context of a sub-agent: the rules of its parent, and a mode that is never laxer. */
export function deriveChildContext(
  parent: ToolPermissionContext,
  { mode = parent.mode }: { readonly mode?: PermissionMode } = {},
): ToolPermissionContext {
  const child = stricterMode(modeInForce(parent), modeInForce({ ...parent, mode }));
  if (parent.mode === 'dontAsk' && child !== 'dontAsk') {
    return { ...parent, mode: child, shouldAvoidPermissionPrompts: true }; // planning asks; the parent must not be
  }
  if (child === 'auto') return stripDangerousRules({ ...parent, mode: child }); // those of a parent in `auto` stay away
  return { ...parent, mode: child };
}

/** Where nothing classifies, `auto` decides as `default` does. */
export function modeInForce({
  mode,
  isAutoModeAvailable,
}: Pick<ToolPermissionContext, 'mode' | 'isAutoModeAvailable'>): PermissionMode {
  return mode === 'auto' && isAutoModeAvailable !== true ? 'default' : mode;
}
