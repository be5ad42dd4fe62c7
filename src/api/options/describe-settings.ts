import type { ToolPermissionContext } from '../../core/permission-types.js';
import { collectHooks, type CollectedHooks } from '../../extensions/hooks/collect-hooks.js';
import { writtenRules } from '../../permissions/rules/rule-problems.js';
import { idlePaths, managedOnlyKeys } from '../../settings/explain/idle-paths.js';
import type { describeRuleProblems } from '../../settings/explain/rule-warnings.js';
import type { SettingsLayers } from '../../settings/files/load-layers.js';

/** Describe the keys of settings files that have no effect. Most runs have none, and load no code for them. */
export async function describeUnread(found: SettingsLayers['found']) {
  const isPlain = (one: SettingsLayers['found'][number]): boolean =>
    idlePaths(one.settings).length + managedOnlyKeys(one).length === 0;
  if (found.every(isPlain)) return { near: [], restricting: [], others: [] };
  const [{ findIdleSettings }, { findNearKeys }] = await Promise.all([
    import('../../settings/explain/idle-keys.js'),
    import('../../settings/explain/find-near-keys.js'),
  ]);
  return { near: found.flatMap(findNearKeys), ...findIdleSettings(found) };
}

/** Describe the rules with a problem, as {@link describeRuleProblems} does. Without rules, it loads no list of tools. */
export async function describeRules(
  permissions: ToolPermissionContext,
  known: Parameters<typeof describeRuleProblems>[1],
): Promise<readonly string[]> {
  if (writtenRules(permissions).length === 0) return [];
  const rules = await import('../../settings/explain/rule-warnings.js');
  return rules.describeRuleProblems(permissions, known);
}

/** Collect hooks, and describe those that never run because of a wrong name. Without hooks, it loads no code for that. */
export async function readHooks(
  layers: Parameters<typeof collectHooks>[0],
): Promise<CollectedHooks> {
  const { hooks, warnings } = collectHooks(layers);
  if (Object.keys(hooks).length === 0) return { hooks, warnings };
  const { describeHookMistakes } = await import('../../settings/explain/hook-mistakes.js');
  return { hooks, warnings: [...warnings, ...(await describeHookMistakes(layers))] };
}
