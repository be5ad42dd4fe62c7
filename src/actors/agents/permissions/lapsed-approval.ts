import type { PermissionDecided, PermissionRequest } from '../../../core/events.js';
import type { PermissionDecisionReason } from '../../../core/decision-types.js';
import type { ToolFacts } from '../../../permissions/facts/facts.js';
import { touchesTheSame } from '../calls/approved-target.js';
import { other } from './denial-of.js';
import { isAutomatic } from '../calls/synthetic-results.js';
import type { Judgement } from './use-judge.js';

/** Why an approved tool call must not run. */
export type Lapse = { readonly message: string; readonly reason: PermissionDecisionReason };

/**
 * Whether an approval still holds when it arrives: the rules do not deny the call now, they still let a hook or a
 * classifier approve it, and it touches the same files as at the time of the request.
 *
 * @param request the permission request
 * @param now the tool call judged anew, with its edited input
 */
export function lapseOf(
  request: Pick<PermissionRequest, 'toolName' | 'facts'>,
  { facts, decision }: Pick<Judgement, 'facts' | 'decision'>,
  { by, reason }: Pick<PermissionDecided, 'by' | 'reason'>,
  isEdited: boolean,
): Lapse | undefined {
  if (decision.behavior === 'deny')
    return { message: decision.message, reason: decision.decisionReason };
  if (isAutomatic(reason) && decision.behavior === 'ask') {
    const message = `Permission lapsed: ${by} allowed it, and only a person can. ${decision.message} Try again.`;
    return { message, reason: decision.decisionReason ?? other(message) };
  }
  if (isEdited || touchesTheSame(request.facts as ToolFacts, facts)) return undefined; // the same caller gathered them
  const message = `Permission lapsed: what ${request.toolName} would touch changed while the question stood open. Try again.`;
  return { message, reason: { type: 'safetyCheck', reason: message, classifierApprovable: false } };
}
