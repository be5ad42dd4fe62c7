import {
  PERMISSION_RULE_SOURCES,
  type ToolPermissionContext,
  type ToolPermissionRulesBySource,
} from '../../core/permission-types.js';
import {
  restoreDangerousRules,
  stripDangerousRules,
} from '../../permissions/modes/dangerous-rules.js';
import type { LiveOptions } from '../options/live-files.js';

type Given = Pick<LiveOptions, 'permissions' | 'forbidsBypass' | 'forbidsAuto'>;

/**
 * Carry a change of settings over to the permissions of a session. Rules and folders that the session itself has got
 * stay, and so does the mode unless it is forbidden now.
 */
export function followRules(
  now: ToolPermissionContext,
  { permissions: before }: Given,
  { permissions: next, forbidsBypass, forbidsAuto }: Given,
): ToolPermissionContext {
  const isAuto = now.mode === 'auto';
  const plain = isAuto ? restoreDangerousRules(now) : now;
  const isForbidden =
    (forbidsBypass && now.mode === 'bypassPermissions') || (forbidsAuto && isAuto);
  const { allowsManagedRulesOnly: _, ...others } = plain;
  const changed: ToolPermissionContext = {
    ...others,
    mode: isForbidden ? 'default' : plain.mode,
    alwaysAllowRules: follow(plain, before, next, 'alwaysAllowRules'),
    alwaysDenyRules: follow(plain, before, next, 'alwaysDenyRules'),
    alwaysAskRules: follow(plain, before, next, 'alwaysAskRules'),
    additionalWorkingDirectories: {
      ...without(plain.additionalWorkingDirectories, before.additionalWorkingDirectories),
      ...next.additionalWorkingDirectories,
    },
    isBypassPermissionsModeAvailable: plain.isBypassPermissionsModeAvailable && !forbidsBypass,
    ...(forbidsAuto && { isAutoModeAvailable: false }),
    ...(next.allowsManagedRulesOnly === true && { allowsManagedRulesOnly: true }),
  };
  return changed.mode === 'auto' ? stripDangerousRules(changed) : changed;
}

type RuleList = 'alwaysAllowRules' | 'alwaysDenyRules' | 'alwaysAskRules';

function follow(
  now: ToolPermissionContext,
  before: ToolPermissionContext,
  next: ToolPermissionContext,
  list: RuleList,
): ToolPermissionRulesBySource {
  return Object.fromEntries(
    PERMISSION_RULE_SOURCES.flatMap((source) => {
      const present = now[list][source] ?? [];
      const [old, fresh] = [before[list][source] ?? [], next[list][source] ?? []];
      const kept = present.filter((rule) => !old.includes(rule) || fresh.includes(rule));
      const all = [...new Set([...kept, ...fresh])];
      return all.length === 0 ? [] : [[source, all] as const];
    }),
  );
}

function without<T>(
  all: Readonly<Record<string, T>>,
  removed: object,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => !Object.hasOwn(removed, key)));
}
