import type { PermissionDecisionReason } from '../core/decision-types.js';
import type { ToolFacts } from './facts/facts.js';

/**
 * The proposal of a hook or the classifier for a tool call. Rules that deny or ask, and safety checks, come before a
 * proposal that allows.
 */
export type Proposal = {
  readonly behavior: 'allow' | 'ask' | 'deny';
  readonly reason: Extract<PermissionDecisionReason, { type: 'hook' | 'classifier' }>;
  /** The message for the approver, or for the agent. */
  readonly message?: string | undefined;
  /** True if the hook allows the call with an input that it wrote: the input has the answers of a person. */
  readonly givesInput?: true | undefined;
};

/** The strictest proposal; the first of equals; undefined without proposals. */
export function strictestProposal(proposals: readonly Proposal[]): Proposal | undefined {
  const find = (behavior: Proposal['behavior']): Proposal | undefined =>
    proposals.find((one) => one.behavior === behavior);
  return find('deny') ?? find('ask') ?? find('allow');
}

/**
 * Whether a proposal may answer an ask with this reason. Never if the effect of the call is unknown, and never over a
 * safety check; the exception is a safety check that leaves the decision to the classifier. A call that needs a
 * person needs the answers of one.
 */
export function mayApprove(
  { reason: { type }, givesInput }: Proposal,
  why: PermissionDecisionReason | undefined,
  { target, requiresUserInteraction }: ToolFacts,
): boolean {
  if (requiresUserInteraction && givesInput !== true) return false;
  if (target?.kind === 'shell' && target.analysis.problem !== undefined) return false;
  return mayPass(why, type);
}

/** Whether a remembered approval may answer an ask with this reason. */
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
    case 'hook': // a hook that asks
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
