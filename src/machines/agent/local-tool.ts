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
  /** The agent for which the tool is called. */
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
  /** ID of the call, once it is known. */
  readonly callId: string;
  /** Number of live children that keep the task from ending. */
  readonly holding: number;
  readonly openRequests: OpenRequests;
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
    /** Waits for the MCP servers and registers the call; sends `tool.use`. */
    prepare: (_, _params: LocalToolInput) => {},
    startCall: (_, _params: CallId) => {},
    cancelCall: (_, _params: CallId & { reason: CancelReason }) => {},
    /** Brings the decision to the call that asked. */
    answerCall: (_, _params: CallId & { decided: PermissionDecided }) => {},
    /** Publishes the result; sends `tool.ended`. */
    conclude: (_, _params: CallId) => {},
    /** Aborts all effects at once. */
    tearOff: (_, _params: { agentId: AgentId }) => {},
    failAs: assign({
      outcome: (_, failure: Failure): WorkOutcome => ({ status: 'failed', failure }),
    }),
  },
  guards: {
    isFree: ({ context }) => context.holding === 0,
  },
});

/** Aborted calls could not withdraw their permission requests. */
const withdrawAll = localToolSetup.enqueueActions(({ context, enqueue }) => {
  for (const withdrawal of withdrawalsOf(context.openRequests))
    enqueue({ type: 'tellParent', params: withdrawal });
  enqueue.assign({ openRequests: {} });
});

/**
 * One tool call as the work of a task, without an agent: preparing → calling → concluding, then waiting while tasks
 * that it started live, then done. On `work.stop` it cancels the call and waits for its result.
 */
export const localToolMachine = localToolSetup.createMachine({
  id: 'localTool',
  context: ({ input }) => ({
    input,
    callId: '',
    holding: 0,
    openRequests: {},
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
        /** Tasks that the call started may still run. */
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
