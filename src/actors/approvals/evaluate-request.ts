import { messageOf } from '../../core/errors.js';
import type { PermissionRequest } from '../../core/events.js';
import type { PermissionAnswer } from '../../core/decision-types.js';
import type { Answered } from '../../machines/approval/permission-request.js';
import { decide } from '../../permissions/decide.js';
import type { ToolFacts } from '../../permissions/facts/facts.js';
import { automatedChecks, judgingContext, type AutomatedChecks } from './automated-checks.js';
import { unanswerable } from './unanswerable.js';
import { checkUpdates, type RequestOwners } from './request-owners.js';

type Decision = Omit<Answered, 'at'>;

/** The next step for a request: a decision, or people, beside checks that race them or after checks. */
export type Evaluation =
  | { readonly next: 'decided'; readonly decision: Decision }
  | { readonly next: 'ask'; readonly checks: AutomatedChecks | undefined }
  | { readonly next: 'checkFirst'; readonly checks: AutomatedChecks };

/** @param hasApprover whether an approver is attached */
export function evaluateRequest(
  request: PermissionRequest,
  session: RequestOwners,
  hasApprover: boolean,
): Evaluation {
  const settled = settledAbove(request, session);
  if (settled !== undefined) return { next: 'decided', decision: settled };
  const checks = automatedChecks(request, session);
  const refused = refusedUnasked(request, session, hasApprover);
  if (checks === undefined)
    return refused === undefined ? { next: 'ask', checks } : { next: 'decided', decision: refused };
  const { awaitAutomatedChecksBeforeDialog: isFirst } = judgingContext(session, request);
  return { next: isFirst === true || refused !== undefined ? 'checkFirst' : 'ask', checks };
}

/** The rules of the parents settle the requests of an agent that bubbles. */
function settledAbove(request: PermissionRequest, session: RequestOwners): Decision | undefined {
  const own = session.agents.live.get(request.agentId)?.parts.permissionContext();
  if (own?.mode !== 'bubble') return undefined;
  const decision = decide(request.facts as ToolFacts, judgingContext(session, request)); // the caller gathered them
  const isAsked = decision.behavior === 'ask' || session.settings.requireCanUseTool;
  if (isAsked && decision.behavior !== 'deny') return undefined;
  const reason = decision.decisionReason;
  const answer: PermissionAnswer =
    decision.behavior === 'deny'
      ? { behavior: 'deny', message: decision.message }
      : { behavior: 'allow' };
  return { by: 'policy', answer, ...(reason === undefined ? {} : { reason }) };
}

/** The denial of a request without an approver. */
export function refusedUnasked(
  request: PermissionRequest,
  session: RequestOwners,
  hasApprover: boolean,
): Decision | undefined {
  const { shouldAvoidPermissionPrompts } = session.permissions.get();
  const own = session.agents.live.get(request.agentId)?.parts.permissionContext();
  const isAvoided = shouldAvoidPermissionPrompts ?? own?.shouldAvoidPermissionPrompts;
  if (hasApprover && isAvoided !== true) return undefined;
  return { by: 'policy', answer: unanswerable(request) };
}

/** Never rejects: a check that fails leaves the request to a person. */
export async function runChecks(
  checks: AutomatedChecks,
  order: 'together' | 'inOrder',
  { requestId }: PermissionRequest,
  session: RequestOwners,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  try {
    const found = await checks.run(order, signal);
    if (found === undefined || signal.aborted) return undefined;
    checkUpdates(session, found.answer);
    return found;
  } catch (error) {
    if (!signal.aborted)
      session.journal.append('audit.jsonl', {
        type: 'permission.check.failed',
        requestId,
        message: messageOf(error),
      });
    return undefined;
  }
}
