import type { PermissionRule, ToolPermissionContext } from '../core/permission-types.js';
import { compilePathPattern, type PathPattern } from './paths/path-pattern.js';
import { rulesOf } from './rule.js';

/** A rule made ready for matching. */
export type CompiledRule = {
  readonly rule: PermissionRule;
  /** Its content as a pattern for paths; compiled when it is first asked for. */
  readonly pathPattern: () => PathPattern;
};

export type CompiledRules = {
  readonly deny: readonly CompiledRule[];
  readonly ask: readonly CompiledRule[];
  readonly allow: readonly CompiledRule[];
};

/** Pure, and gone with the context: nothing is shared that a context does not already say. */
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
