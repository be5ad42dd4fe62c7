import type {
  PermissionDecision,
  PermissionDecisionReason,
  PermissionRule,
  PermissionUpdate,
  ToolPermissionContext,
} from '../core/permission-types.js';
import { applyPermissionUpdate } from './apply-update.js';
import { decide } from './decide.js';
import { describeReason } from './describe-reason.js';
import type { ToolFacts } from './facts.js';
import { suggestTool } from './suggestions.js';

/** What would let a use pass that is not allowed. */
export type Change =
  /** Any of these would, the narrowest first. */
  | { readonly type: 'updates'; readonly updates: readonly PermissionUpdate[] }
  /** No rule that allows is stronger than this one. */
  | { readonly type: 'rule'; readonly rule: PermissionRule }
  /** No rule can; `why` in words. */
  | { readonly type: 'none'; readonly why: string };

/** @returns undefined where it is allowed */
export function whatWouldChange(
  facts: ToolFacts,
  context: ToolPermissionContext,
  decision: PermissionDecision = decide(facts, context),
): Change | undefined {
  if (decision.behavior === 'allow') return undefined;
  const updates = suggestionsFor(facts, context, decision).filter(
    (update) => decide(facts, applyPermissionUpdate(context, update)).behavior === 'allow',
  );
  if (updates.length > 0) return { type: 'updates', updates };
  return changeBehind(decision.decisionReason);
}

function changeBehind(reason: PermissionDecisionReason | undefined): Change {
  switch (reason?.type) {
    case 'rule':
      return { type: 'rule', rule: reason.rule };
    case 'subcommandResults': {
      const part = Object.entries(reason.reasons).find(([, result]) => result.behavior !== 'allow');
      const change = changeBehind(
        part && 'decisionReason' in part[1] ? part[1].decisionReason : undefined,
      );
      return change.type === 'none'
        ? { ...change, why: `${part?.[0] ?? ''}: ${change.why}` }
        : change;
    }
    case 'safetyCheck':
      return { type: 'none', why: `it is a safety check: ${reason.reason}` };
    case 'mode':
      return { type: 'none', why: `the mode ${reason.mode} does not let it pass` };
    case 'workingDir':
      return {
        type: 'none',
        why: 'it would have to match the path and all that it leads to or stands for. Name that instead, or add its folder to the workspace',
      };
    default:
      return { type: 'none', why: describeReason(reason) };
  }
}

/**
 * A mode that denies instead of asking suggests nothing: what would be suggested if it asked. A host that is denied may be
 * opened by its name.
 */
function suggestionsFor(
  facts: ToolFacts,
  context: ToolPermissionContext,
  decision: PermissionDecision,
): readonly PermissionUpdate[] {
  const asked =
    decision.behavior === 'ask'
      ? decision
      : decide(facts, { ...context, mode: 'default', shouldAvoidPermissionPrompts: false });
  if ('suggestions' in asked) return asked.suggestions ?? [];
  const host = facts.target?.kind === 'web' ? facts.target.request.host : undefined;
  return host === undefined ? [] : suggestTool(facts.toolName, `domain:${host}`);
}
