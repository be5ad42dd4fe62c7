import type { PermissionAskDecision, PermissionDecisionReason } from '../../core/decision-types.js';
import type { PermissionUpdate } from '../../core/permission-types.js';

/** The verdict on one part of a tool call, after the rules that deny or ask. */
export type Verdict =
  | { readonly behavior: 'allow'; readonly reason: PermissionDecisionReason }
  | {
      readonly behavior: 'ask';
      readonly reason: PermissionDecisionReason;
      /** For the person who is asked. */
      readonly message: string;
      readonly suggestions?: readonly PermissionUpdate[];
      readonly blockedPath?: string;
    };

export function toAsk(verdict: Extract<Verdict, { behavior: 'ask' }>): PermissionAskDecision {
  const { reason, ...rest } = verdict;
  return { ...rest, decisionReason: reason };
}
