import { isPromptTool, OWN_APPROVERS } from '../../core/approver.js';
import { UsageError } from '../../core/errors.js';
import type { PermissionRequests } from './permission-requests.js';
import type { Approvals } from '../contract/approvals.js';

/** The interface of the permission requests for programs, which sign with names of people and programs only. */
export function toApprovals(requests: PermissionRequests): Approvals {
  return {
    list: requests.list,
    async decide(requestId, answer, by) {
      checkName(by);
      return requests.decide(requestId, answer, by);
    },
    onRequest(handler, options) {
      if (typeof handler !== 'function')
        throw new UsageError(
          'approvals.onRequest: give a function that gets a permission request and resolves with a decision, or with nothing.',
        );
      checkName(options?.by);
      return requests.onRequest(handler, options);
    },
  };
}

/** @throws UsageError */
function checkName(by: string | undefined): void {
  if (by === undefined) return;
  if (by.trim() !== '' && !isReserved(by)) return;
  throw new UsageError(
    `${JSON.stringify(by)} is not a valid name of an approver: it must not be empty, start with "mcp__" or "hook ", or be one of ${OWN_APPROVERS.join(', ')}. Leave "by" out, or name the person or program that answers.`,
  );
}

function isReserved(by: string): boolean {
  return OWN_APPROVERS.includes(by) || isPromptTool(by) || by.startsWith('hook ');
}
