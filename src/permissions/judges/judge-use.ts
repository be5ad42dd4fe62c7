import type { PermissionResult } from '../../core/decision-types.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import { compiledRules } from '../rules/compiled-rules.js';
import type { TargetFacts, ToolFacts } from '../facts/facts.js';
import { judgePath } from './judge-path.js';
import { judgeShell } from './judge-shell.js';
import { findNameRule, findToolRule } from '../matching/rule-match.js';
import type { PathFact } from '../paths/path-fact.js';
import { suggestForMany, suggestTogether, suggestTool } from './suggestions.js';
import type { Verdict } from './verdict.js';

/**
 * Judge a tool call that no rule denied or asked for: rules, the tool's own check, its read-only effect and the mode
 * may allow it; otherwise it asks.
 */
export function judgeUse(facts: ToolFacts, context: ToolPermissionContext): Verdict {
  const verdict = judgeTarget(facts, context);
  const { ownCheck } = facts;
  if (verdict.behavior === 'ask' || verdict.reason.type === 'rule') return verdict;
  return ownCheck.behavior === 'ask' ? ownAsk(ownCheck, facts, context) : verdict;
}

function judgeTarget(facts: ToolFacts, context: ToolPermissionContext): Verdict {
  const { target } = facts;
  if (target?.kind === 'shell') return judgeShell(target.analysis, facts, context);
  if (target?.kind === 'paths' && target.paths.length > 0) {
    const toolRule = findToolRule(compiledRules(context).allow, facts);
    const verdicts = target.paths.map((path) => judgePath(path, facts.place, context, toolRule));
    const ask = askForAll(verdicts, facts, target.paths);
    if (ask === undefined) return verdicts[0]!; // never empty
    const isUnsafe = verdicts.some(({ reason }) => reason.type === 'safetyCheck');
    return (isUnsafe ? undefined : ownAllow(facts, context)) ?? ask;
  }
  return judgeTool(facts, context);
}

/** The ask that the least can answer, with suggestions for all paths that ask: their rules, or the mode. */
function askForAll(
  verdicts: readonly Verdict[],
  { toolName, place }: ToolFacts,
  paths: readonly PathFact[],
): Verdict | undefined {
  const asks = verdicts.filter((verdict) => verdict.behavior === 'ask');
  const [strictest] = asks.toSorted((a, b) => strictnessOf(b) - strictnessOf(a));
  if (strictest === undefined || asks.length === 1) return strictest;
  const parts = asks.map(({ suggestions = [] }) => suggestions);
  const modes = parts[0]?.filter(({ type }) => type === 'setMode') ?? [];
  const together = suggestTogether(parts);
  const isForMany =
    together.length === 0 && parts.every(([narrowest]) => narrowest?.type === 'addRules');
  const asking = paths.filter((_, index) => verdicts[index]?.behavior === 'ask');
  const rules = isForMany ? suggestForMany(toolName, asking, place.home) : together;
  return { ...strictest, suggestions: [...rules, ...modes] };
}

/** A hook and the classifier approve by the reason of the ask: no other file may hide a protected one. */
function strictnessOf({ reason }: Verdict): number {
  if (reason.type !== 'safetyCheck') return 0;
  return reason.classifierApprovable ? 1 : 2;
}

function judgeTool(facts: ToolFacts, context: ToolPermissionContext): Verdict {
  const { allow } = compiledRules(context);
  if (context.mode !== 'plan' || facts.isReadOnly) {
    const rule = findToolRule(allow, facts) ?? findNameRule(allow, facts);
    if (rule !== undefined) return { behavior: 'allow', reason: { type: 'rule', rule } };
  }
  const own = ownAllow(facts, context);
  if (own !== undefined) return own;
  // a server's own claim about its tool is no reason to trust it
  const isTrusted = !facts.toolName.startsWith('mcp__');
  if (facts.isReadOnly && isTrusted && !isJudgedByName(facts)) {
    return { behavior: 'allow', reason: { type: 'other', reason: 'it only reads' } };
  }
  return ownAsk(facts.ownCheck, facts, context);
}

/** Rules decide on the target, not that the call is read-only: a kind of agent, a host, a script. */
function isJudgedByName({ target }: ToolFacts): boolean {
  return target?.kind === 'name' || target?.kind === 'web' || target?.kind === 'script';
}

/** The name that a remembered rule would use. */
function nameOf(target: TargetFacts | undefined): string | undefined {
  if (target?.kind === 'web') return `domain:${target.request.host ?? ''}`;
  return target?.kind === 'name' ? target.name : undefined;
}

/** An ask with the tool's own message, if it has one. */
function ownAsk(
  ownCheck: PermissionResult,
  { toolName, target }: ToolFacts,
  { mode }: ToolPermissionContext,
): Verdict {
  const name = nameOf(target);
  const reason = ownCheck.behavior === 'ask' ? ownCheck.decisionReason : undefined;
  const said =
    ownCheck.behavior === 'ask' || ownCheck.behavior === 'passthrough' ? ownCheck : undefined;
  return {
    behavior: 'ask',
    message:
      said?.message ?? `No rule allows ${toolName}${name === undefined ? '' : ` for ${name}`}.`,
    reason: reason ?? { type: 'mode', mode },
    suggestions: said?.suggestions ?? suggestTool(toolName, name),
  };
}

/** The tool's own approval. In plan mode only calls that touch no file get it. */
function ownAllow(
  { ownCheck, isReadOnly, target }: ToolFacts,
  { mode }: ToolPermissionContext,
): Verdict | undefined {
  if (ownCheck.behavior !== 'allow') return undefined;
  if (mode === 'plan' && !isReadOnly && target?.kind === 'paths') return undefined;
  const reason = ownCheck.decisionReason ?? {
    type: 'other',
    reason: "the tool's own check allows it",
  };
  return { behavior: 'allow', reason };
}
