import type { PermissionAskDecision, PermissionDecisionReason } from '../core/decision-types.js';
import type { PermissionUpdate } from '../core/permission-types.js';

/** What the steps behind the rules say of one part of a use. */
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
