import { ADVICE } from '../../core/advice.js';
import { withFullStop } from '../../core/text/describe-issue.js';
import type { PermissionRequest } from '../../core/events.js';
import type { PermissionAnswer } from '../../core/decision-types.js';

/**
 * The denial if no approver is attached. The request does not wait, and the message is not worded as a person's
 * refusal.
 */
export function unanswerable({ kind, toolName, message }: PermissionRequest): PermissionAnswer {
  const ownName = `${toolName}: `;
  const why = withFullStop(message.startsWith(ownName) ? message.slice(ownName.length) : message);
  return {
    behavior: 'deny',
    message: {
      permission: `Permission to use ${toolName} was denied: nobody is there to approve it. ${why} ${ADVICE.ask}`,
      question: `Nobody is there who could answer. ${ADVICE.judge}`,
      elicitation: `Nobody is there who could answer. ${ADVICE.judge}`,
      plan: 'The plan was not approved: nobody is there who could be asked. You stay in plan mode: end your reply with the plan.',
    }[kind],
  };
}
