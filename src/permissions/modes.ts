import type { PermissionMode, ToolPermissionContext } from '../core/permission-types.js';

/**
 * From strict to lax. While nothing classifies, `auto` decides as `default` does, so it stands there: a child must
 * never be let do what its parent would have to ask for.
 */
const STRICTNESS: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  dontAsk: 1,
  default: 2,
  bubble: 2,
  auto: 2,
  acceptEdits: 3,
  bypassPermissions: 4,
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
  const child = stricterMode(parent.mode, mode);
  if (parent.mode === 'dontAsk' && child !== 'dontAsk') {
    return { ...parent, mode: child, shouldAvoidPermissionPrompts: true }; // planning asks; the parent must not be
  }
  return { ...parent, mode: child };
}
