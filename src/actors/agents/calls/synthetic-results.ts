import { isPromptTool, OWN_APPROVERS } from '../../../core/approver.js';
import { ADVICE } from '../../../core/advice.js';
import type { PermissionDecided, PermissionRequest } from '../../../core/events.js';
import type { PermissionDecisionReason } from '../../../core/decision-types.js';
import type { Proposal } from '../../../permissions/proposal.js';
import type { CancelReason } from '../../../machines/agent/tool-call.js';

/** The result of a cancelled call, for the model. Never worded as a person's refusal unless it was one. */
export function cancelText(reason: CancelReason, shellError: string): string {
  switch (reason) {
    case 'sibling_error':
      return `Cancelled: parallel tool call ${shellError || 'Bash'} errored`;
    case 'user_interrupted':
      return 'Interrupted by the user before it was done.';
    case 'killed':
      return 'Stopped by the system because its task was ended. Nobody refused it.';
  }
  return reason satisfies never;
}

/** The result of a call with an unknown outcome, for the model. @param lost the task that the call had started */
export function unknownText(lost: string | undefined): string {
  const text = 'The process ended while this ran: its outcome is unknown.';
  const task = lost === undefined ? '' : ` ${lost}`;
  return `${text}${task} Check before you do it again.`;
}

/** The result that the model reads for a call that did not stop when it was aborted. */
export function notStoppedText(toolName: string): string {
  return `${toolName} did not stop; its outcome is unknown. Check before you do it again.`;
}

/** The result of a denied request, for the model: who denied it, and what a sub-agent or the main agent can do next. */
export function denialText(
  { toolName, kind }: Pick<PermissionRequest, 'toolName' | 'kind'>,
  feedback: string | undefined,
  decided: Pick<PermissionDecided, 'by' | 'reason'>,
  isSubAgent: boolean,
): string {
  if (isSystem(decided)) return feedback ?? `Permission to use ${toolName} was denied.`;
  const who = answererOf(decided);
  const denied = {
    permission: `Permission to use ${toolName} was denied by ${lower(who)}`,
    question: `${who} did not answer`,
    elicitation: `${who} did not answer`,
    plan: `${who} did not approve the plan, so plan mode continues`,
  }[kind];
  if (feedback === undefined)
    return isSubAgent ? `${denied}. ${ADVICE.report}` : `${denied}. ${ADVICE.wait}`;
  const said = `${denied}. ${who} said: ${endSentence(feedback)}`;
  if (kind === 'plan') return `${said}\nChange the plan and present it again.`;
  return `${said}\n${isSubAgent ? ADVICE.followAndReport : ADVICE.follow}`;
}

/** The text with a full stop, unless it ends in punctuation. */
function endSentence(text: string): string {
  return /[\p{P}\s]$/u.test(text) ? text : `${text}.`;
}

/** The approver in words for the model: a person, or the permission prompt tool. */
export function answererOf({ by }: Pick<PermissionDecided, 'by'>): string {
  return isPromptTool(by) ? `The permission prompt tool ${by}` : 'The user';
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/**
 * Whether a decision comes from Troupe itself, a hook or a classifier. Such a decision is never shown as a person's.
 */
export function isSystem({ by, reason }: Pick<PermissionDecided, 'by' | 'reason'>): boolean {
  return OWN_APPROVERS.includes(by) || isAutomatic(reason);
}

/** Whether a hook or a classifier gives this reason. */
export function isAutomatic(
  reason: PermissionDecisionReason | undefined,
): reason is Proposal['reason'] {
  return reason?.type === 'hook' || reason?.type === 'classifier';
}
