import type { PermissionRule, PermissionRuleSource } from '../../../core/permission-types.js';
import type { LocatedRule } from '../../../extensions/settings/locate-rules.js';
import { formatRule, SOURCE_LABELS } from '../../../permissions/rule.js';

/** Where something comes from: the file, where it is one, and the line. */
export type Place = {
  readonly source: PermissionRuleSource;
  readonly file?: string;
  readonly line?: number;
};

/** Where the rule of a decision is written; of one that no settings hold only its source is known. */
export function placeOfRule(rule: PermissionRule, located: readonly LocatedRule[]): Place {
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

export function toPlace({ source, file, line }: Place): Place {
  return {
    source,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
}

/** `project settings, /p/.claude/settings.json:4` */
export function describePlace({ source, file, line }: Place): string {
  if (file === undefined) return SOURCE_LABELS[source];
  return `${SOURCE_LABELS[source]}, ${[file, line].filter((part) => part !== undefined).join(':')}`;
}
