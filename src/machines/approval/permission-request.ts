import { assign, enqueueActions, setup } from 'xstate';
import type { AnswerReceipt } from '../../core/answer-receipt.js';
import type { RequestId } from '../../core/ids.js';
import type { PermissionAnswer, PermissionDecisionReason } from '../../core/decision-types.js';

/** A decision, its approver, and its time (epoch ms). */
export type Answered = {
  readonly by: string;
  readonly answer: PermissionAnswer;
  /** The reason, if no person decided. */
  readonly reason?: PermissionDecisionReason;
  readonly at: number;
};

export type PermissionRequestInput = { readonly requestId: RequestId };

export type PermissionRequestEvent =
  /** Automated checks are over. `answered` is their decision, if there is one. */
  | { type: 'ask.evaluated'; answered: Answered | undefined }
  | { type: 'ask.answer'; answerId: string; answered: Answered }
  /** The side effects of the decision (a remembered rule, for example) are on disk. */
  | { type: 'ask.persisted' }
  | { type: 'ask.cancel' };

export type PermissionRequestContext = PermissionRequestInput & {
  /** The first decision; never replaced. */
  readonly answered: Answered | undefined;
  readonly isCancelled: boolean;
  /** Number of decisions that have a receipt. */
  readonly receipts: number;
};

export type PermissionRequestOutput = { readonly receipts: number } & (
  ({ readonly status: 'decided' } & Answered) | { readonly status: 'cancelled' }
);

/**
 * One permission request: evaluating → waiting → claimed → decided, or cancelled. Any number of approvers may race.
 * `claimed` is a transition, so the first decision wins by construction, and its side effects happen before any actor
 * acts on it.
 */
export const permissionRequestMachine = setup({
  types: {
    input: {} as PermissionRequestInput,
    context: {} as PermissionRequestContext,
    events: {} as PermissionRequestEvent,
    output: {} as PermissionRequestOutput,
  },
  actions: {
    /** Runs automated checks; sends `ask.evaluated`. */
    evaluate: (_, _params: { requestId: RequestId }) => {},
    /** Shows the request to all connected approvers. */
    present: (_, _params: { requestId: RequestId }) => {},
    /** Withdraws the request from the approvers that saw it. */
    withdraw: (_, _params: { requestId: RequestId }) => {},
    /** Stores the side effects of the decision; sends `ask.persisted`. */
    persist: (_, _params: { requestId: RequestId; answered: Answered }) => {},
    reply: (_, _params: { answerId: string; receipt: AnswerReceipt }) => {},
    rememberCancel: assign({ isCancelled: true }),
    rememberAnswer: assign({
      answered: ({ context, event }) =>
        event.type === 'ask.answer' ? event.answered : context.answered,
    }),
    countReceipt: assign({ receipts: ({ context }) => context.receipts + 1 }),
  },
}).createMachine({
  id: 'permissionRequest',
  context: ({ input }) => ({ ...input, answered: undefined, isCancelled: false, receipts: 0 }),
  initial: 'evaluating',
  states: {
    evaluating: {
      entry: { type: 'evaluate', params: ({ context }) => ({ requestId: context.requestId }) },
      on: {
        'ask.evaluated': [
          {
            guard: ({ event }) => event.answered !== undefined,
            target: 'claimed',
            actions: assign({ answered: ({ event }) => event.answered }),
          },
          { target: 'waiting' },
        ],
        'ask.answer': { target: 'claimed', actions: ['rememberAnswer', 'countReceipt'] },
        'ask.cancel': { target: 'cancelled', actions: 'rememberCancel' },
      },
    },
    waiting: {
      entry: { type: 'present', params: ({ context }) => ({ requestId: context.requestId }) },
      exit: { type: 'withdraw', params: ({ context }) => ({ requestId: context.requestId }) },
      on: {
        'ask.answer': { target: 'claimed', actions: ['rememberAnswer', 'countReceipt'] },
        'ask.cancel': { target: 'cancelled', actions: 'rememberCancel' },
      },
    },
    claimed: {
      entry: enqueueActions(({ context, event, enqueue }) => {
        const { requestId } = context;
        const answered = context.answered as Answered; // set on the way in
        if (event.type === 'ask.answer')
          enqueue({
            type: 'reply',
            params: { answerId: event.answerId, receipt: { status: 'accepted' } },
          });
        enqueue({ type: 'persist', params: { requestId, answered } });
      }),
      on: {
        'ask.answer': {
          actions: [
            'countReceipt',
            {
              type: 'reply',
              params: ({ context, event }) => ({
                answerId: event.answerId,
                receipt: {
                  status: 'already_decided' as const,
                  by: (context.answered as Answered).by, // set on the way in
                },
              }),
            },
          ],
        },
        'ask.persisted': 'decided',
        'ask.cancel': { target: 'cancelled', actions: 'rememberCancel' },
      },
    },
    decided: { type: 'final' },
    cancelled: { type: 'final' },
  },
  output: ({ context: { answered, isCancelled, receipts } }) =>
    answered === undefined || isCancelled
      ? { status: 'cancelled', receipts }
      : { status: 'decided', receipts, ...answered },
});
