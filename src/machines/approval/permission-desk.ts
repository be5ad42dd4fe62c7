import { assign, enqueueActions, sendParent, setup } from 'xstate';
import type { AnyActorLogic, DoneActorEvent, ErrorActorEvent } from 'xstate';
import type { AnswerReceipt } from '../../core/answer-receipt.js';
import { toFailure } from '../../core/errors.js';
import type {
  PermissionCancel,
  PermissionDecided,
  PermissionPatch,
  PermissionRequest,
} from '../../core/events.js';
import type { RequestId } from '../../core/ids.js';
import {
  permissionRequestMachine,
  type Answered,
  type PermissionRequestOutput,
} from './permission-request.js';
import { without } from '../records.js';

export type PermissionDeskEvent =
  | DoneActorEvent<PermissionRequestOutput>
  | ErrorActorEvent
  | PermissionRequest
  | PermissionCancel
  | PermissionPatch
  | { type: 'desk.answer'; requestId: RequestId; answerId: string; answered: Answered };

type Ended = { readonly requestId: string; readonly by: string | undefined };

export type PermissionDeskContext = {
  /** Open permission requests by ID. */
  readonly openRequests: Readonly<Record<string, PermissionRequest>>;
  /**
   * Decisions sent to each request, in order. A decision that arrives after the end of its request gets its receipt
   * from the desk.
   */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** The ends of the newest requests, for late decisions. `by` is undefined if the request was withdrawn. */
  readonly ended: readonly Ended[];
};

const ENDED_KEPT = 1_000;

/** The desk holds the permission requests that wait for an approver, one actor each. */
export const permissionDeskMachine = setup({
  types: { context: {} as PermissionDeskContext, events: {} as PermissionDeskEvent },
  actors: { permissionRequest: permissionRequestMachine as AnyActorLogic }, // any machine with the same behaviour
  actions: {
    tellParent: sendParent((_, message: PermissionDecided) => message),
    /** Tells all connected approvers that a request has changed. */
    republish: (_, _params: { request: PermissionRequest }) => {},
    reply: (_, _params: { requestId: RequestId; answerId: string; receipt: AnswerReceipt }) => {},
  },
}).createMachine({
  id: 'permissionDesk',
  context: { openRequests: {}, answers: {}, ended: [] },
  on: {
    'permission.request': {
      actions: enqueueActions(({ context, event, enqueue }) => {
        const { requestId } = event;
        enqueue.assign({ openRequests: { ...context.openRequests, [requestId]: event } });
        enqueue.spawnChild('permissionRequest', { id: requestId, input: { requestId } });
      }),
    },
    'permission.cancel': {
      actions: enqueueActions(({ context, event, enqueue }) => {
        if (event.requestId in context.openRequests)
          enqueue.sendTo(event.requestId, { type: 'ask.cancel' });
      }),
    },
    /** News of a check that runs beside the request. The request stays open. */
    'permission.patch': {
      guard: ({ context, event }) => event.requestId in context.openRequests,
      actions: enqueueActions(({ context, event, enqueue }) => {
        const { requestId, pendingClassifierCheck } = event;
        const { pendingClassifierCheck: _, ...rest } = context.openRequests[
          requestId
        ] as PermissionRequest; // guarded
        const request: PermissionRequest =
          pendingClassifierCheck === undefined ? rest : { ...rest, pendingClassifierCheck };
        enqueue.assign({ openRequests: { ...context.openRequests, [requestId]: request } });
        enqueue({ type: 'republish', params: { request } });
      }),
    },
    'desk.answer': {
      actions: enqueueActions(({ context, event, enqueue }) => {
        const { requestId, answerId, answered } = event;
        if (requestId in context.openRequests) {
          const answerIds = [...(context.answers[requestId] ?? []), answerId];
          enqueue.assign({ answers: { ...context.answers, [requestId]: answerIds } });
          enqueue.sendTo(requestId, { type: 'ask.answer', answerId, answered });
        } else {
          const receipt = receiptOfLate(context, requestId);
          enqueue({ type: 'reply', params: { requestId, answerId, receipt } });
        }
      }),
    },
    'xstate.done.actor.*': {
      actions: [
        enqueueActions(({ context, event, enqueue }) => {
          const request = context.openRequests[event.actorId];
          if (request === undefined || event.output.status !== 'decided') return;
          const { answer, by, at, reason } = event.output;
          const verdict = answer.behavior === 'allow' ? 'allowed' : 'denied';
          const path = [...request.path, { actor: 'desk', verdict, at } as const];
          const { requestId } = request;
          enqueue({
            type: 'tellParent',
            params: {
              type: 'permission.decision',
              requestId,
              answer,
              by,
              path,
              at,
              ...(reason === undefined ? {} : { reason }),
            },
          });
        }),
        enqueueActions(({ context, event, enqueue }) => {
          const requestId = event.actorId as RequestId; // the actors have the IDs of their requests
          const { output } = event;
          const receipt: AnswerReceipt =
            output.status === 'decided'
              ? { status: 'already_decided', by: output.by }
              : { status: 'cancelled' };
          for (const answerId of (context.answers[requestId] ?? []).slice(output.receipts))
            enqueue({ type: 'reply', params: { requestId, answerId, receipt } });
        }),
        assign(({ context, event }) => ({
          openRequests: without(context.openRequests, event.actorId),
          answers: without(context.answers, event.actorId),
          ended: [
            ...context.ended.slice(1 - ENDED_KEPT),
            {
              requestId: event.actorId,
              by: event.output.status === 'decided' ? event.output.by : undefined,
            },
          ],
        })),
        enqueueActions(({ event, enqueue }) => enqueue.stopChild(event.actorId)),
      ],
    },
    /**
     * An effect of the request threw. The request is denied, so that the agent does not wait, and the other requests
     * continue.
     */
    'xstate.error.actor.*': {
      actions: enqueueActions(({ context, event, enqueue }) => {
        const request = context.openRequests[event.actorId];
        if (request === undefined) return;
        const { requestId, at } = request;
        const message = `No approver could be asked: ${toFailure(event.error).message}`;
        const path = [...request.path, { actor: 'desk', verdict: 'denied', at } as const];
        const answer = { behavior: 'deny', message } as const;
        enqueue({
          type: 'tellParent',
          params: { type: 'permission.decision', requestId, answer, by: 'desk', path, at },
        });
        enqueue.assign({
          openRequests: without(context.openRequests, requestId),
          answers: without(context.answers, requestId),
          ended: [...context.ended.slice(1 - ENDED_KEPT), { requestId, by: 'desk' }],
        });
        enqueue.stopChild(requestId);
      }),
    },
  },
});

function receiptOfLate(context: PermissionDeskContext, requestId: RequestId): AnswerReceipt {
  const ended = context.ended.findLast((one) => one.requestId === requestId);
  if (ended === undefined) return { status: 'unknown' };
  return ended.by === undefined
    ? { status: 'cancelled' }
    : { status: 'already_decided', by: ended.by };
}
