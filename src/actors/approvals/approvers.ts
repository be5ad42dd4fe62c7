import { z } from 'zod';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { messageOf, toReadable } from '../../core/errors.js';
import type { PermissionRequest } from '../../core/events.js';
import type { RequestId } from '../../core/ids.js';
import { PermissionAnswer } from '../../core/decision-types.js';
import { toPlainJson } from '../../core/json/plain-json.js';
import {
  PermissionRequestOverError,
  type PermissionRequestEnd,
} from '../contract/permission-request-over-error.js';
import type { ApproverOptions, AskHandler } from '../contract/approvals.js';
import { unanswerable } from './unanswerable.js';
import { checkUpdates } from './request-owners.js';
import type { Decisions } from './decisions.js';
import type { PendingRequests } from './pending-requests.js';

/** The handlers of programs that may decide requests, and the requests that they see. */
export interface Approvers {
  /** The names that the handlers of this kind of request sign with. */
  names(kind: PermissionRequest['kind']): readonly string[];
  /** Whether a handler gets requests of this kind. */
  has(kind: PermissionRequest['kind']): boolean;
  /** Attach a handler and show it the pending requests of its kinds. @returns a function that detaches it */
  attach(handler: AskHandler, approver: Approver): () => void;
  /** Show a request to all handlers, also to those that are attached later. */
  show(request: PermissionRequest): void;
  /** Abort the signal of a shown request. */
  withdraw(requestId: RequestId, end: PermissionRequestEnd): void;
}

type Kinds = ApproverOptions['kinds'];
type Approver = { readonly by: string; readonly kinds?: Kinds };

function takes({ kinds }: Approver, kind: PermissionRequest['kind']): boolean {
  return kinds === undefined || kinds.includes(kind);
}

export function createApprovers(pending: PendingRequests, decisions: Decisions): Approvers {
  const handlers = new Map<AskHandler, Approver>();
  const has: Approvers['has'] = (kind) => [...handlers.values()].some((one) => takes(one, kind));
  const shown = new Map<RequestId, AbortController>();

  const answerOf = async (
    handler: AskHandler,
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<PermissionAnswer | undefined> => {
    const said: unknown = await handler(request, { signal });
    if (said === undefined) return undefined; // the handler leaves the decision to others
    const plain = toPlainJson(said);
    const { data: answer, error } = PermissionAnswer.safeParse(plain);
    if (error !== undefined)
      throw new TypeError(withFullStop(describeRefusal(error, plain, quotedField('The answer'))));
    checkUpdates(pending.sessionOf(request.requestId), answer);
    return answer;
  };

  const ask = async (
    [handler, approver]: readonly [AskHandler, Approver],
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<void> => {
    const { requestId, toolName, kind } = request;
    if (!takes(approver, kind)) return;
    const { by } = approver;
    let answer: PermissionAnswer | undefined;
    try {
      answer = await answerOf(handler, request, signal);
    } catch (error) {
      if (signal.aborted) return;
      const message = `Permission to use ${toolName} was not given: the approver (${by}) failed to answer. ${whyFailed(error)}`;
      await decisions.send(requestId, { by: 'desk', answer: { behavior: 'deny', message } });
    }
    if (answer !== undefined) await decisions.send(requestId, { by, answer });
  };

  /** Detach a handler. Shown requests may then have no approver left. */
  const detach = (handler: AskHandler): void => {
    handlers.delete(handler);
    for (const id of shown.keys()) {
      const request = pending.find(id);
      if (request !== undefined && !has(request.kind))
        void decisions.send(id, { by: 'policy', answer: unanswerable(request) });
    }
  };

  return {
    names: (kind) => [...handlers.values()].flatMap((one) => (takes(one, kind) ? [one.by] : [])),
    has,
    attach(handler, approver) {
      handlers.set(handler, approver);
      for (const [id, { signal }] of shown) {
        const request = pending.find(id);
        if (request !== undefined) void ask([handler, approver], request, signal);
      }
      return () => detach(handler);
    },
    show(request) {
      const controller = new AbortController();
      shown.set(request.requestId, controller);
      for (const one of handlers) void ask(one, request, controller.signal);
    },
    withdraw(requestId, end) {
      shown.get(requestId)?.abort(new PermissionRequestOverError(end));
      shown.delete(requestId);
    },
  };
}

/** The reason of a failed handler; a handler may throw an error of its program's schema. */
function whyFailed(error: unknown): string {
  const thrown = toReadable(error);
  return thrown instanceof z.ZodError ? z.prettifyError(thrown) : messageOf(thrown);
}
