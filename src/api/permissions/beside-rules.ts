import type { ToolPermissionContext } from '../../core/permission-types.js';
import type { ToolFacts } from '../../permissions/facts/facts.js';
import type { LocatedRule } from '../../settings/explain/locate-rules.js';
import type { Workspace } from '../options/workspace.js';
import { collectHooks } from '../../extensions/hooks/collect-hooks.js';
import { matches } from '../../settings/schema/hooks-settings.js';
import { isClassifiable } from '../../permissions/classifiable.js';
import { decide } from '../../permissions/decide.js';

/** Everything that can decide a tool call in addition to the rules in effect. */
export type BesideRules = {
  /** Number of PreToolUse hooks that would run before. */
  readonly hooks: number;
  /** Whether the classifier decides instead of a person. */
  readonly isClassified: boolean;
  /** Rules that would allow the call, and have no effect while the mode is `auto`. */
  readonly putAside: readonly string[];
  /** A rule that would allow the call if the folder were trusted. */
  readonly waiting: LocatedRule | undefined;
};

export function findBesideRules(
  facts: ToolFacts,
  context: ToolPermissionContext,
  { layers }: Pick<Workspace, 'layers'>,
  located: readonly LocatedRule[],
): BesideRules {
  const isAllowed = decide(facts, context).behavior === 'allow';
  const passesWith = (source: string, rules: readonly string[]): boolean =>
    !isAllowed && decide(facts, allowing(context, source, rules)).behavior === 'allow';
  const putAside = Object.entries(context.strippedDangerousRules ?? {}).flatMap(
    ([source, rules = []]) => rules.filter((rule) => passesWith(source, [rule])),
  );
  const waiting = located.find(
    ({ waitsForTrust, behavior, source, names }) =>
      waitsForTrust && behavior === 'allow' && passesWith(source, names),
  );
  const { toolName, aliases = [] } = facts;
  return {
    hooks: countHooks(layers, [toolName, ...aliases]),
    isClassified: isClassifiable(facts, context),
    putAside,
    waiting,
  };
}

/** Count the PreToolUse hooks of settings: those that match one of these tools, or all if no tools are given. */
export function countHooks(layers: Workspace['layers'], toolNames?: readonly string[]): number {
  const groups = collectHooks(layers).hooks.PreToolUse ?? [];
  return groups
    .filter(({ matcher }) => toolNames === undefined || matches(matcher, toolNames))
    .reduce((count, { hooks }) => count + hooks.length, 0);
}

function allowing(
  context: ToolPermissionContext,
  source: string,
  rules: readonly string[],
): ToolPermissionContext {
  const { alwaysAllowRules: before } = context;
  const own = before[source as keyof typeof before] ?? []; // the keys of `before` are sources
  return { ...context, alwaysAllowRules: { ...before, [source]: [...own, ...rules] } };
}
