import type {
  PermissionDecision,
  PermissionRule,
  PermissionUpdate,
  ToolPermissionContext,
} from '../core/permission-types.js';
import { applyPermissionUpdate } from './apply-update.js';
import { decide } from './decide.js';
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
  const { decisionReason: reason } = decision;
  switch (reason?.type) {
    case 'rule':
      return { type: 'rule', rule: reason.rule };
    case 'safetyCheck':
      return { type: 'none', why: `it is a safety check: ${reason.reason}` };
    case 'mode':
      return { type: 'none', why: `the mode ${reason.mode} does not let it pass` };
    default:
      return { type: 'none', why: 'it is not known well enough what it would do' };
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
