import type { PermissionDecisionReason } from '../core/decision-types.js';
import type { ToolFacts } from './facts.js';

/**
 * What a hook or the classifier says of a use. It is a proposal: what denies or asks by rule, and safety checks, come
 * before one that allows.
 */
export type Proposal = {
  readonly behavior: 'allow' | 'ask' | 'deny';
  readonly reason: Extract<PermissionDecisionReason, { type: 'hook' | 'classifier' }>;
  /** In words for whoever is asked, or told. */
  readonly message?: string | undefined;
};

/** The strictest; of equals the first. Nothing where nobody proposes anything. */
export function strictestProposal(proposals: readonly Proposal[]): Proposal | undefined {
  const find = (behavior: Proposal['behavior']): Proposal | undefined =>
    proposals.find((one) => one.behavior === behavior);
  return find('deny') ?? find('ask') ?? find('allow');
}

/**
 * Whether a proposal may answer an ask with this reason. Never where nobody can tell what would happen, and never over a
 * safety check, but for the classifier over one that says that it may.
 */
export function mayApprove(
  { reason: { type } }: Proposal,
  why: PermissionDecisionReason | undefined,
  { target, requiresUserInteraction }: ToolFacts,
): boolean {
  if (requiresUserInteraction) return false;
  if (target?.kind === 'shell' && target.analysis.problem !== undefined) return false;
  return mayPass(why, type);
}

/** Whether leave that was given earlier may answer an ask with this reason. */
export function isOpenToLeave(
  why: PermissionDecisionReason | undefined,
  facts: ToolFacts,
): boolean {
  return mayApprove({ behavior: 'allow', reason: { type: 'hook', hookName: '' } }, why, facts);
}

function mayPass(
  why: PermissionDecisionReason | undefined,
  type: Proposal['reason']['type'],
): boolean {
  switch (why?.type) {
    case 'safetyCheck':
      return type === 'classifier' && why.classifierApprovable;
    case 'rule':
    case 'hook': // one that asks
    case 'sandboxOverride':
      return false;
    case 'subcommandResults':
      return Object.values(why.reasons).every(
        (result) =>
          result.behavior === 'allow' ||
          (result.behavior === 'ask' && mayPass(result.decisionReason, type)),
      );
    default:
      return true;
  }
}
