import { TroupeError } from '../core/errors.js';
import type {
  AdditionalWorkingDirectory,
  PermissionBehavior,
  PermissionMode,
  PermissionRuleSource,
  PermissionUpdate,
  ToolPermissionContext,
} from '../core/permission-types.js';
import { formatRule, rulesBySource } from './rule.js';

/** A mode was asked for that this session was not started for. */
export class PermissionModeUnavailableError extends TroupeError {
  override readonly name = 'PermissionModeUnavailableError';
  readonly code = 'PERMISSION_MODE_UNAVAILABLE';

  constructor(mode: PermissionMode) {
    super(
      `The permission mode "${mode}" is not available: start with it, or choose another mode.`,
      {
        recoverable: true,
        details: { mode },
      },
    );
  }
}

/**
 * The context with an update applied: a new object, the old one is left as it is.
 *
 * @throws PermissionModeUnavailableError for `bypassPermissions` where the session does not have it.
 */
export function applyPermissionUpdate(
  context: ToolPermissionContext,
  update: PermissionUpdate,
): ToolPermissionContext {
  switch (update.type) {
    case 'addRules': {
      const added = update.rules.map(formatRule);
      return withRules(context, update, (rules) => [...new Set([...rules, ...added])]);
    }
    case 'replaceRules':
      return withRules(context, update, () => [...new Set(update.rules.map(formatRule))]);
    case 'removeRules': {
      const removed = new Set(update.rules.map(formatRule));
      return withRules(context, update, (rules) => rules.filter((rule) => !removed.has(rule)));
    }
    case 'setMode':
      return withMode(context, update.mode);
    case 'addDirectories': {
      const added = update.directories.map((path): [string, AdditionalWorkingDirectory] => [
        path,
        { path, source: update.destination },
      ]);
      const all = [...Object.entries(context.additionalWorkingDirectories), ...added];
      return { ...context, additionalWorkingDirectories: Object.fromEntries(all) };
    }
    case 'removeDirectories': {
      const kept = Object.entries(context.additionalWorkingDirectories).filter(
        ([path]) => !update.directories.includes(path),
      );
      return { ...context, additionalWorkingDirectories: Object.fromEntries(kept) };
    }
    default:
      return update satisfies never;
  }
}

const KEYS = {
  allow: 'alwaysAllowRules',
  deny: 'alwaysDenyRules',
  ask: 'alwaysAskRules',
} as const satisfies Record<PermissionBehavior, keyof ToolPermissionContext>;

function withRules(
  context: ToolPermissionContext,
  {
    behavior,
    destination,
  }: { readonly behavior: PermissionBehavior; readonly destination: PermissionRuleSource },
  change: (rules: readonly string[]) => readonly string[],
): ToolPermissionContext {
  const bySource = rulesBySource(context, behavior);
  const rules = { ...bySource, [destination]: change(bySource[destination] ?? []) };
  return { ...context, [KEYS[behavior]]: rules };
}

function withMode(context: ToolPermissionContext, mode: PermissionMode): ToolPermissionContext {
  if (mode === 'bypassPermissions' && !context.isBypassPermissionsModeAvailable) {
    throw new PermissionModeUnavailableError(mode);
  }
  if (mode === context.mode) return context;
  const { prePlanMode: _, ...rest } = context;
  return mode === 'plan' ? { ...rest, mode, prePlanMode: context.mode } : { ...rest, mode };
}
