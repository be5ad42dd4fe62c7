import { assign, enqueueActions, sendParent, setup } from 'xstate';
import type { PermissionCancel, PermissionRequest, TaskNotification } from '../core/events.js';
import type { AgentId } from '../core/ids.js';
import type { WorkOutcome } from '../core/task-types.js';
import { isLive, isQuiet, isYielded } from './agent-questions.js';
import type { AgentContext, AgentEvent, AgentInput } from './agent-types.js';
import { toolCallMachine, type CancelReason } from './tool-call.js';

/** The words of the agent's machine: its child, the effects that the composition root provides, and its guards. */
export const agentSetup = setup({
  types: {
    input: {} as AgentInput,
    context: {} as AgentContext,
    events: {} as AgentEvent,
    output: {} as WorkOutcome,
  },
  actors: { toolCall: toolCallMachine },
  actions: {
    tellParent: sendParent((_, message: PermissionRequest | PermissionCancel) => message),
    /** Drains the inbox and makes the next user message; sends `prepared`. */
    prepare: (_, _params: { agentId: AgentId; turn: number }) => {},
    /** Makes one request; sends `tool.use` for each finished block, then `sample.done` or `sample.failed`. */
    sample: (_, _params: { agentId: AgentId; turn: number }) => {},
    abortSampling: (_, _params: { agentId: AgentId }) => {},
    /** A result may be handed on: every earlier one was. */
    publishResult: (_, _params: { agentId: AgentId; id: string }) => {},
    /** Puts a notification into the inbox. */
    acceptNotification: (_, _params: { agentId: AgentId; notification: TaskNotification }) => {},
    /** Tells whoever watches that the agent has nothing to do, and how its turn ended. */
    publishRest: (_, _params: { agentId: AgentId; rest: WorkOutcome }) => {},
    /** Nothing may run on: aborts everything at once. */
    tearOff: (_, _params: { agentId: AgentId }) => {},
    restAs: assign({ rest: (_, rest: WorkOutcome) => rest }),
    countArrival: assign({ inbox: ({ context }) => context.inbox + 1 }),
    countDrained: assign({
      isPreparing: false,
      inbox: ({ context, event }) =>
        event.type === 'prepared' ? context.inbox - event.drained : context.inbox,
    }),
    sampleEnded: assign({ isSampling: false, retry: undefined }),
    cancelCalls: enqueueActions(({ context, enqueue }, reason: CancelReason) => {
      for (const { id, phase } of context.calls)
        if (isLive(phase)) enqueue.sendTo(id, { type: 'call.cancel', reason });
    }),
    cancelInterruptible: enqueueActions(({ context, enqueue }) => {
      for (const { id, onInterrupt, phase } of context.calls)
        if (onInterrupt === 'cancel' && phase === 'started')
          enqueue.sendTo(id, { type: 'call.cancel', reason: 'user_interrupted' });
    }),
  },
  guards: {
    knowsAsk: ({ context, event }) => 'requestId' in event && event.requestId in context.asks,
    hasMail: ({ context }) => context.inbox > 0,
    goesOn: ({ context }) => context.goesOn,
    isHeld: ({ context }) => context.holding > 0,
    staysOpen: ({ context }) => context.staysOpen,
    hasFailed: ({ context }) => context.rest?.status === 'failed',
    isQuiet: ({ context }) => isQuiet(context),
    endsTurn: ({ context }) =>
      context.calls.length === 0 || (context.endsTurn && isYielded(context)),
    isTurnLimit: ({ context }) =>
      context.maxTurns !== undefined && context.turns >= context.maxTurns,
  },
});
