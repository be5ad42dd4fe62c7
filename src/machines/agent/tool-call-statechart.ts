import { assign, setup } from 'xstate';
import type { PermissionDecided } from '../../core/events.js';
import type { RequestId } from '../../core/ids.js';
import type {
  CallEnd,
  CancelReason,
  ToolCallContext,
  ToolCallEvent,
  ToolCallInput,
  ToolCallMessage,
} from './tool-call.js';

/**
 * The specification of a tool call: queued → validating → deciding → executing → completed, or cancelled with a reason.
 * The call settles once, with one result, whatever happens. If the call is cancelled during an effect, the effect is
 * stopped and waited for. `stepCall` is the code that runs, because a turn with one tool then takes 4 events instead of
 * 11. A test checks that both do the same.
 */
export const toolCallMachine = setup({
  types: {
    input: {} as ToolCallInput,
    context: {} as ToolCallContext,
    events: {} as ToolCallEvent,
  },
  actions: {
    tellParent: (_, _message: ToolCallMessage) => {},
    /** Parses and checks the input; sends `call.validated` or `call.refused`. */
    validate: (_, _params: { id: string }) => {},
    /** Gathers facts and decides; sends `call.allowed`, `call.refused` or `call.ask`. */
    decide: (_, _params: { id: string }) => {},
    /** Decides again with the approver's decision; sends `call.allowed` or `call.refused`. */
    applyAnswer: (_, _params: PermissionDecided) => {},
    /** Runs the tool; sends `call.executed`, also after an abort. */
    execute: (_, _params: { id: string }) => {},
    abort: (_, _params: { id: string; reason: CancelReason }) => {},
    /** Makes the synthetic result of a cancelled call; sends `call.recorded`. */
    recordCancelled: (_, _params: { id: string; reason: CancelReason }) => {},
    rememberCancel: assign({
      cancelled: ({ context }, reason: CancelReason) => context.cancelled ?? reason,
    }),
    rememberEnd: assign({
      isError: (_, end: CallEnd) => end.isError,
      endsTurn: (_, end: CallEnd) => end.endsTurn,
    }),
  },
  guards: { isCancelled: ({ context }) => context.cancelled !== undefined },
}).createMachine({
  id: 'toolCall',
  context: ({ input }) => ({
    ...input,
    requestId: undefined,
    cancelled: undefined,
    isError: false,
    endsTurn: undefined,
  }),
  initial: 'queued',
  states: {
    queued: {
      on: {
        'call.start': 'validating',
        'call.cancel': {
          target: 'cancelled',
          actions: { type: 'rememberCancel', params: ({ event }) => event.reason },
        },
      },
    },
    validating: {
      entry: { type: 'validate', params: ({ context }) => ({ id: context.id }) },
      on: {
        'call.validated': [{ guard: 'isCancelled', target: 'cancelled' }, { target: 'deciding' }],
        'call.refused': {
          target: 'completed',
          actions: { type: 'rememberEnd', params: ({ event }) => event },
        },
        'call.cancel': {
          actions: [
            { type: 'rememberCancel', params: ({ event }) => event.reason },
            {
              type: 'abort', // a check of the tool that still runs
              params: ({ context, event }) => ({ id: context.id, reason: event.reason }),
            },
          ],
        },
      },
    },
    deciding: {
      initial: 'gathering',
      states: {
        gathering: {
          entry: { type: 'decide', params: ({ context }) => ({ id: context.id }) },
          on: {
            'call.ask': [
              { guard: 'isCancelled', target: '#toolCall.cancelled' },
              {
                target: 'asking',
                actions: [
                  assign({ requestId: ({ event }) => event.request.requestId }),
                  { type: 'tellParent', params: ({ event }) => event.request },
                ],
              },
            ],
          },
        },
        /** An approver decides; no effect runs. */
        asking: {
          on: {
            'call.allowed': {}, // ignored, or the permission request would stay open
            'call.refused': {},
            'permission.decision': {
              guard: ({ context, event }) => event.requestId === context.requestId,
              target: 'applying',
              actions: { type: 'applyAnswer', params: ({ event }) => event },
            },
            'call.cancel': {
              target: '#toolCall.cancelled',
              actions: [
                { type: 'rememberCancel', params: ({ event }) => event.reason },
                {
                  type: 'tellParent',
                  params: ({ context }) => ({
                    type: 'permission.cancel' as const,
                    requestId: context.requestId as RequestId, // set on the way in
                  }),
                },
              ],
            },
          },
        },
        applying: {},
      },
      on: {
        'call.allowed': [{ guard: 'isCancelled', target: 'cancelled' }, { target: 'executing' }],
        'call.refused': {
          target: 'completed',
          actions: { type: 'rememberEnd', params: ({ event }) => event },
        },
        'call.cancel': {
          actions: [
            { type: 'rememberCancel', params: ({ event }) => event.reason },
            {
              type: 'abort', // a hook that still runs
              params: ({ context, event }) => ({ id: context.id, reason: event.reason }),
            },
          ],
        },
      },
    },
    executing: {
      entry: { type: 'execute', params: ({ context }) => ({ id: context.id }) },
      on: {
        'call.executed': {
          target: 'completed',
          actions: {
            type: 'rememberEnd',
            params: ({ event }) => ({ isError: event.isError, endsTurn: event.endsTurn }),
          },
        },
        'call.cancel': {
          actions: [
            { type: 'rememberCancel', params: ({ event }) => event.reason },
            {
              type: 'abort',
              params: ({ context, event }) => ({ id: context.id, reason: event.reason }),
            },
          ],
        },
      },
    },
    /** The call never ran; its result says why. */
    cancelled: {
      entry: {
        type: 'recordCancelled',
        params: ({ context }) => ({
          id: context.id,
          reason: context.cancelled as CancelReason, // set on the way in
        }),
      },
      on: {
        'call.recorded': {
          target: 'completed',
          actions: { type: 'rememberEnd', params: { isError: true, endsTurn: undefined } },
        },
      },
    },
    completed: {
      type: 'final',
      entry: {
        type: 'tellParent',
        params: ({ context: { id, isError, endsTurn, cancelled } }) => ({
          type: 'call.settled' as const,
          id,
          isError,
          endsTurn,
          cancelled,
        }),
      },
    },
  },
});
