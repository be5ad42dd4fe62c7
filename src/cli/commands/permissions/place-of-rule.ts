import type { LocatedRule, PermissionRule, RulePlace } from '../../../api/types.js';
import { given } from '../../../api/given.js';
import { formatRule } from '../../../api/permissions/permissions.js';

/** The place of a decision's rule; only its source if no settings have the rule. */
export function placeOfRule(rule: PermissionRule, located: readonly LocatedRule[]): RulePlace {
  const text = formatRule(rule.value);
  const found = located.find(
    ({ source, behavior, names, waitsForTrust }) =>
      source === rule.source &&
      behavior === rule.behavior &&
      !waitsForTrust &&
      names.some((name) => name.trim() === text),
  );
  return found === undefined ? { source: rule.source } : toPlace(found);
}

export function toPlace({ source, file, line }: RulePlace): RulePlace {
  return {
    source,
    ...given({ file, line }),
  };
}
