import type { PermissionDecision, PermissionDecisionReason } from '../core/decision-types.js';
import type {
  PermissionRule,
  PermissionUpdate,
  ToolPermissionContext,
} from '../core/permission-types.js';
import { applyPermissionUpdate } from './modes/apply-update.js';
import { decide } from './decide.js';
import { describeReason } from './describe-reason.js';
import type { ToolFacts } from './facts/facts.js';
import { suggestTool } from './judges/suggestions.js';

/** A change that would allow a refused tool call. */
export type Change =
  | {
      readonly type: 'updates';
      /** Each of these would let the call pass, the narrowest first. */
      readonly updates: readonly PermissionUpdate[];
    }
  | {
      readonly type: 'rule';
      /** The rule that denies or asks: no rule that allows is stronger. */
      readonly rule: PermissionRule;
    }
  | {
      readonly type: 'wide';
      /** A rule for the whole tool: no suggested rule is narrower. */
      readonly update: PermissionUpdate;
      /** Why the call is not allowed, in words for a person. */
      readonly why: string;
    }
  | {
      readonly type: 'none';
      /** Why no rule can allow the call, in words for a person. */
      readonly why: string;
    };

/** @returns undefined if the call is allowed */
export function whatWouldChange(
  facts: ToolFacts,
  context: ToolPermissionContext,
  decision: PermissionDecision = decide(facts, context),
): Change | undefined {
  if (decision.behavior === 'allow') return undefined;
  const asked = askedInstead(facts, context, decision);
  const allows = (update: PermissionUpdate): boolean =>
    decide(facts, applyPermissionUpdate(context, update)).behavior === 'allow';
  const updates = suggestionsFor(facts, asked).filter(allows);
  if (updates.length > 0) return { type: 'updates', updates };
  const isUnasked = decision.decisionReason?.type === 'asyncAgent';
  const change = changeBehind((isUnasked ? asked : decision).decisionReason);
  if (change.type !== 'none') return change;
  const wide = suggestTool(facts.toolName, undefined).find(allows);
  return wide === undefined ? change : { type: 'wide', update: wide, why: change.why };
}

/** The decision if somebody could be asked. */
function askedInstead(
  facts: ToolFacts,
  context: ToolPermissionContext,
  decision: PermissionDecision,
): PermissionDecision {
  return decision.behavior === 'ask'
    ? decision
    : decide(facts, { ...context, mode: 'default', shouldAvoidPermissionPrompts: false });
}

function changeBehind(
  reason: PermissionDecisionReason | undefined,
): Extract<Change, { type: 'rule' | 'none' }> {
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

/** A rule for its name may open a denied host. */
function suggestionsFor(
  { target, toolName }: ToolFacts,
  asked: PermissionDecision,
): readonly PermissionUpdate[] {
  if ('suggestions' in asked) return asked.suggestions ?? [];
  const host = target?.kind === 'web' ? target.request.host : undefined;
  return host === undefined ? [] : suggestTool(toolName, `domain:${host}`);
}
