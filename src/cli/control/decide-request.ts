import type {
  AnswerReceipt,
  Environment,
  PermissionAnswer,
  PermissionRequest,
} from '../../api/types.js';
import { TaskFailedError, UsageError } from '../../api/errors.js';
import { isInsideTroupe } from '../../api/control/inside-troupe.js';
import { describeKept } from '../../api/permissions/permissions.js';
import { describeUpdate } from '../approval/choices.js';
import { whoAsks } from '../approval/who-asks.js';
import type { RunningTroupe } from './running.js';
import { requestSubject } from './request-subject.js';
import { seeRunning } from './see-running.js';
import { findRequest, type WaitingRequest } from './waiting-requests.js';

const VERBS = {
  permission: 'Allowed',
  plan: 'Approved',
  question: 'Answered',
  elicitation: 'Answered',
} as const;

/**
 * Decide a request of a running troupe.
 *
 * @param by name of the approver for the audit
 * @returns the decision on one line
 * @throws UsageError if no request has the ID, or if an agent runs the command; TaskFailedError if the decision does not count
 */
export async function decideRequest(
  requestId: string,
  toAnswer: (waiting: WaitingRequest) => PermissionAnswer,
  { by, world }: { readonly by: string; readonly world: { readonly env: Environment } },
): Promise<string> {
  if (isInsideTroupe(world.env))
    throw new UsageError(
      `${by}: an agent has started this shell, and agents do not decide. Run it in your own terminal.`,
    );
  const { seen, close } = await seeRunning(world);
  try {
    const waiting = await findRequest(seen, requestId);
    const { troupe, request } = waiting;
    const answer = toAnswer(waiting);
    const lasting = await decideAt(troupe, requestId, answer, by);
    const verb = answer.behavior === 'allow' ? VERBS[request.kind] : 'Denied';
    const input = request.kind === 'permission' ? editedInput(answer) : undefined;
    const ran = input === undefined ? request : { ...request, input };
    const how = input === undefined ? '' : ', as edited';
    return [`${verb} for ${whoAsks(request.agent)}${how}: ${requestSubject(ran)}`, ...lasting].join(
      '. ',
    );
  } finally {
    close();
  }
}

function editedInput(answer: PermissionAnswer): PermissionRequest['input'] | undefined {
  return answer.behavior === 'allow' ? answer.updatedInput : undefined;
}

/**
 * Decide a request of one running troupe.
 *
 * @returns what the decision allows from now on, one text for each rule
 * @throws TaskFailedError if the decision does not count
 */
export async function decideAt(
  troupe: RunningTroupe,
  requestId: string,
  answer: PermissionAnswer,
  by: string,
): Promise<readonly string[]> {
  const request = { method: 'decide', requestId, answer, by } as const;
  const receipt = (await troupe.ask(request)) as AnswerReceipt; // the answer to a decision
  requireAccepted(receipt, requestId);
  return [...describeScope(answer), ...(receipt.kept ?? []).map(describeKept)];
}

/** The rules that a decision allows until the session ends. */
function describeScope(answer: PermissionAnswer): readonly string[] {
  const updates = answer.behavior === 'allow' ? (answer.updatedPermissions ?? []) : [];
  const own = updates.filter(({ destination }) => destination === 'session').map(describeUpdate);
  return own.length === 0 ? [] : [`Allowed until the session ends: ${own.join('; ')}`];
}

/** @throws TaskFailedError if the decision does not count */
function requireAccepted(
  receipt: AnswerReceipt,
  requestId: string,
): asserts receipt is Extract<AnswerReceipt, { status: 'accepted' }> {
  const refuse = (code: string, why: string): never => {
    throw new TaskFailedError({ code, message: `The decision does not count: ${why}` });
  };
  switch (receipt.status) {
    case 'accepted':
      return;
    case 'already_decided':
      return refuse('ALREADY_DECIDED', `${receipt.by} has decided ${requestId} before.`);
    case 'cancelled':
      return refuse('REQUEST_WITHDRAWN', `${requestId} was withdrawn: its agent has stopped.`);
    case 'unknown':
      return refuse('REQUEST_UNKNOWN', `no request ${requestId} waits any more.`);
    default:
      return receipt satisfies never;
  }
}
