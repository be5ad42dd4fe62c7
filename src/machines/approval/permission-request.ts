import { assign, enqueueActions, setup } from 'xstate';
import type { AnswerReceipt } from '../../core/answer-receipt.js';
import type { RequestId } from '../../core/ids.js';
import type { PermissionAnswer, PermissionDecisionReason } from '../../core/decision-types.js';

/** An answer, who gave it, and when (epoch ms). */
export type Answered = {
  readonly by: string;
  readonly answer: PermissionAnswer;
  /** Why, where no person answered. */
  readonly reason?: PermissionDecisionReason;
  readonly at: number;
};

export type PermissionRequestInput = { readonly requestId: RequestId };

export type PermissionRequestEvent =
  /** Automated checks are over: `answered` is what they say, if anything. */
  | { type: 'ask.evaluated'; answered: Answered | undefined }
  | { type: 'ask.answer'; answerId: string; answered: Answered }
  /** What goes with the answer (a rule to keep, say) is on disk. */
  | { type: 'ask.persisted' }
  | { type: 'ask.cancel' };

export type PermissionRequestContext = PermissionRequestInput & {
  /** The first answer; never replaced. */
  readonly answered: Answered | undefined;
  readonly isCancelled: boolean;
  /** How many answers have their receipt. */
  readonly receipts: number;
};

export type PermissionRequestOutput = { readonly receipts: number } & (
  ({ readonly status: 'decided' } & Answered) | { readonly status: 'cancelled' }
);

/**
 * One ask: evaluating → waiting → claimed → decided, or cancelled. Any number of answerers may race: `claimed` is a
 * transition, so the first wins by construction, and its side effects happen before anybody acts on the answer.
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
    /** Shows the ask to everybody who is attached. */
    present: (_, _params: { requestId: RequestId }) => {},
    /** Withdraws it from whoever it was shown to. */
    withdraw: (_, _params: { requestId: RequestId }) => {},
    /** Keeps what goes with the answer; sends `ask.persisted`. */
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
