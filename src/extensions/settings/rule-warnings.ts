import type { ToolPermissionContext } from '../../core/permission-types.js';
import { findRuleProblems } from '../../permissions/rule-problems.js';
import { rulesOf } from '../../permissions/rule.js';

/** The rules of a run that do nothing or not what they seem to say: one line for stderr on each. */
export async function describeRuleProblems(
  permissions: ToolPermissionContext,
): Promise<readonly string[]> {
  const rules = (['allow', 'deny', 'ask'] as const).flatMap((behavior) =>
    rulesOf(permissions, behavior),
  );
  if (rules.length === 0) return []; // most runs need no list of tools before they begin
  const { getAllBaseTools } = await import('../../tools/base-tools.js');
  const names = getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  return findRuleProblems(rules, names);
}
