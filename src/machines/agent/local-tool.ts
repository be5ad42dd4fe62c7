import { assign, sendParent, setup } from 'xstate';
import type {
  ChildrenChanged,
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
  WorkForce,
  WorkStop,
} from '../../core/events.js';
import type { Failure } from '../../core/failure.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { WorkOutcome } from '../../core/task-types.js';
import { STOPPED } from './agent-failures.js';
import { FORCED } from '../from-work.js';
import { relayOfCalls, withdrawalsOf, type OpenRequests } from '../approval/relay.js';
import type { CancelReason, ToolCallMessage } from './tool-call.js';

export type LocalToolInput = {
  /** In whose name the tool is called. */
  readonly agentId: AgentId;
  readonly taskId: TaskId;
  /** Name of the tool. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
};

export type LocalToolEvent =
  | { type: 'tool.use'; call: { readonly id: string } }
  | { type: 'tool.ended'; outcome: WorkOutcome }
  | { type: 'effect.failed'; failure: Failure }
  | Extract<ToolCallMessage, { type: 'call.settled' }>
  | ChildrenChanged
  | PermissionRequest
  | PermissionDecided
  | PermissionCancel
  | WorkStop
  | WorkForce;

export type LocalToolContext = {
  readonly input: LocalToolInput;
  /** The call, once it is known. */
  readonly callId: string;
  /** Live children that keep it from being done. */
  readonly holding: number;
  readonly asks: OpenRequests;
  readonly outcome: WorkOutcome;
};

type CallId = { readonly agentId: AgentId; readonly id: string };

const localToolSetup = setup({
  types: {
    input: {} as LocalToolInput,
    context: {} as LocalToolContext,
    events: {} as LocalToolEvent,
    output: {} as WorkOutcome,
  },
  actions: {
    tellParent: sendParent((_, message: PermissionRequest | PermissionCancel) => message),
    /** Waits for the servers of tools, and makes the call known; sends `tool.use`. */
    prepare: (_, _params: LocalToolInput) => {},
    startCall: (_, _params: CallId) => {},
    cancelCall: (_, _params: CallId & { reason: CancelReason }) => {},
    /** Brings the decision to the call that asked. */
    answerCall: (_, _params: CallId & { decided: PermissionDecided }) => {},
    /** Publishes the result; sends `tool.ended`. */
    conclude: (_, _params: CallId) => {},
    /** Nothing may run on: aborts everything at once. */
    tearOff: (_, _params: { agentId: AgentId }) => {},
    failAs: assign({
      outcome: (_, failure: Failure): WorkOutcome => ({ status: 'failed', failure }),
    }),
  },
  guards: {
    isFree: ({ context }) => context.holding === 0,
  },
});

/** Calls that were torn off could not withdraw what they had asked. */
const withdrawAll = localToolSetup.enqueueActions(({ context, enqueue }) => {
  for (const withdrawal of withdrawalsOf(context.asks))
    enqueue({ type: 'tellParent', params: withdrawal });
  enqueue.assign({ asks: {} });
});

/**
 * One tool call as the work of a task, without an agent: preparing → calling → concluding, then waiting while what it
 * has started lives, then done. Told to stop, it cancels the call and waits for its result.
 */
export const localToolMachine = localToolSetup.createMachine({
  id: 'localTool',
  context: ({ input }) => ({
    input,
    callId: '',
    holding: 0,
    asks: {},
    outcome: { status: 'failed', failure: STOPPED },
  }),
  initial: 'living',
  states: {
    living: {
      initial: 'preparing',
      on: {
        'children.changed': { actions: assign({ holding: ({ event }) => event.holding }) },
        ...relayOfCalls<LocalToolContext, LocalToolEvent>(),
        'effect.failed': {
          target: 'done',
          actions: [
            { type: 'failAs', params: ({ event }) => event.failure },
            { type: 'tearOff', params: ({ context }) => context.input },
          ],
        },
        'work.force': {
          target: 'done',
          actions: [
            { type: 'failAs', params: FORCED },
            { type: 'tearOff', params: ({ context }) => context.input },
          ],
        },
      },
      states: {
        preparing: {
          entry: { type: 'prepare', params: ({ context }) => context.input },
          on: {
            'tool.use': {
              target: 'calling',
              actions: assign({ callId: ({ event }) => event.call.id }),
            },
            'work.stop': {
              target: '#localTool.done',
              actions: { type: 'tearOff', params: ({ context }) => context.input },
            },
          },
        },
        calling: {
          entry: { type: 'startCall', params: ({ context }) => callOf(context) },
          on: {
            'work.stop': {
              actions: {
                type: 'cancelCall',
                params: ({ context }) => ({ ...callOf(context), reason: 'killed' }),
              },
            },
            'call.settled': 'concluding',
          },
        },
        concluding: {
          entry: { type: 'conclude', params: ({ context }) => callOf(context) },
          on: {
            'tool.ended': {
              target: 'waiting',
              actions: assign({ outcome: ({ event }) => event.outcome }),
            },
          },
        },
        /** What the call has started may live on. */
        waiting: {
          always: { guard: 'isFree', target: '#localTool.done' },
          on: { 'work.stop': '#localTool.done' },
        },
      },
    },
    done: { type: 'final', entry: withdrawAll },
  },
  output: ({ context }) => context.outcome,
});

function callOf({ input, callId }: LocalToolContext): CallId {
  return { agentId: input.agentId, id: callId };
}
