import { TroupeError } from '../../core/errors.js';
import type {
  AdditionalWorkingDirectory,
  PermissionBehavior,
  PermissionMode,
  PermissionRuleSource,
  PermissionUpdate,
  ToolPermissionContext,
} from '../../core/permission-types.js';
import { restoreDangerousRules, stripDangerousRules } from './dangerous-rules.js';
import { formatRule, rulesBySource } from '../rules/rule.js';

/** The session was not started for this mode. */
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
 * Return a new context with an update applied.
 *
 * @throws PermissionModeUnavailableError for `bypassPermissions` and `auto` if the session does not have them.
 */
export function applyPermissionUpdate(
  context: ToolPermissionContext,
  update: PermissionUpdate,
): ToolPermissionContext {
  if (context.mode !== 'auto') return applyPlainly(context, update);
  const changed = applyPlainly(restoreDangerousRules(context), update);
  return changed.mode === 'auto' ? stripDangerousRules(changed) : changed;
}

function applyPlainly(
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
  if (mode === 'auto' && context.isAutoModeAvailable !== true) {
    throw new PermissionModeUnavailableError(mode);
  }
  if (mode === context.mode) return context;
  const { prePlanMode: _, ...rest } = context;
  if (mode === 'plan') return { ...rest, mode, prePlanMode: context.mode };
  return mode === 'auto' ? stripDangerousRules({ ...rest, mode }) : { ...rest, mode };
}
