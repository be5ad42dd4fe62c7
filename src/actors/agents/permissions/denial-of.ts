import type { PermissionDecisionReason } from '../../../core/decision-types.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import { describeReason } from '../../../permissions/describe-reason.js';
import type { ToolFacts } from '../../../permissions/facts/facts.js';
import { whatWouldChange, type Change } from '../../../permissions/what-would-change.js';
import type { PermissionDenial } from '../../services/event-bus.js';
import type { Call } from '../calls/call.js';

/** Why a tool call is denied. */
export type WhyDenied = Pick<PermissionDenial, 'message' | 'reason'> & {
  readonly isPerson?: boolean;
  /** The facts that the rules judged, if rules decided. */
  readonly facts?: ToolFacts | undefined;
};

export const other = (reason: string): PermissionDecisionReason => ({ type: 'other', reason });

/** A denied tool call as listeners see it. Unless a person denied it, it names changes that would allow it. */
export function denialOf(
  call: Call,
  toolUseId: string,
  why: WhyDenied,
  context: ToolPermissionContext,
): PermissionDenial {
  const { block, shownInput: input } = call;
  const { message, reason, isPerson = false } = why;
  const change = isPerson ? undefined : changeFor(call, why, context);
  return {
    toolName: block.name,
    toolUseId,
    input,
    message,
    reason,
    ...(change && { change }),
    ...(isPerson && { isByPerson: true }),
  };
}

/** No rule allows a call that a hook denies, or asks for if nobody can be asked. */
function changeFor(
  { proposal }: Pick<Call, 'proposal'>,
  { reason, facts }: WhyDenied,
  context: ToolPermissionContext,
): Change | undefined {
  if (facts === undefined) return undefined;
  if (reason.type === 'hook') return { type: 'none', why: describeReason(reason) };
  const change = whatWouldChange(facts, context);
  const isHooks = reason.type === 'asyncAgent' && proposal?.behavior === 'ask';
  return isHooks && change?.type !== 'rule'
    ? { type: 'none', why: describeReason(proposal.reason) }
    : change;
}
