import type { PermissionDecisionReason } from '../../../core/decision-types.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import type { ToolFacts } from '../../../permissions/facts.js';
import { whatWouldChange } from '../../../permissions/what-would-change.js';
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
  { block, shownInput: input }: Call,
  toolUseId: string,
  { message, reason, isPerson = false, facts }: WhyDenied,
  context: ToolPermissionContext,
): PermissionDenial {
  const change = facts && !isPerson ? whatWouldChange(facts, context) : undefined;
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
