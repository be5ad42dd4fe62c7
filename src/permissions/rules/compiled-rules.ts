import type { PermissionRule, ToolPermissionContext } from '../../core/permission-types.js';
import { compilePathPattern, type PathPattern } from '../paths/path-pattern.js';
import { rulesOf } from './rule.js';

/** A rule ready for matching. */
export type CompiledRule = {
  readonly rule: PermissionRule;
  /** The content of the rule as a pattern for paths, compiled on first use. */
  readonly pathPattern: () => PathPattern;
};

export type CompiledRules = {
  readonly deny: readonly CompiledRule[];
  readonly ask: readonly CompiledRule[];
  readonly allow: readonly CompiledRule[];
};

/** A pure cache: an entry depends on its context alone, and is collected with it. */
const compiled = new WeakMap<ToolPermissionContext, CompiledRules>();

export function compiledRules(context: ToolPermissionContext): CompiledRules {
  const known = compiled.get(context);
  if (known !== undefined) return known;
  const rules = {
    deny: rulesOf(context, 'deny').map(compile),
    ask: rulesOf(context, 'ask').map(compile),
    allow: rulesOf(context, 'allow').map(compile),
  };
  compiled.set(context, rules);
  return rules;
}

function compile(rule: PermissionRule): CompiledRule {
  let pattern: PathPattern | undefined;
  return {
    rule,
    pathPattern: () =>
      (pattern ??= compilePathPattern(rule.value.ruleContent ?? '//**', rule.behavior)),
  };
}
