import { assign, enqueueActions, sendParent, setup } from 'xstate';
import type { CompactionTrigger } from '../core/compaction.js';
import type {
  PermissionCancel,
  PermissionRequest,
  TaskNotification,
  TeammateRested,
  WorkRested,
  WorkWoke,
} from '../core/events.js';
import type { AgentId } from '../core/ids.js';
import type { WorkOutcome } from '../core/task-types.js';
import { CONTEXT_WINDOW_EXCEEDED, MAX_CONTINUATIONS } from './agent-failures.js';
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
    tellParent: sendParent(
      (_, message: PermissionRequest | PermissionCancel | WorkRested | WorkWoke) => message,
    ),
    /** Drains the inbox and makes the next user message; sends `prepared`. */
    prepare: (_, _params: { agentId: AgentId; turn: number }) => {},
    /** Makes one request; sends `tool.use` for each finished block, then `sample.done` or `sample.failed`. */
    sample: (_, _params: { agentId: AgentId; turn: number }) => {},
    /** Gives the conversation a new beginning; sends `compaction.done` or `compaction.failed`. */
    compact: (_, _params: { agentId: AgentId; turn: number; trigger: CompactionTrigger }) => {},
    abortSampling: (_, _params: { agentId: AgentId }) => {},
    /** Looks whether it may rest; sends `concluded`. `isCut`: its turn was ended by a refusal. */
    conclude: (_, _params: { agentId: AgentId; turn: number; isCut: boolean }) => {},
    /** A result may be handed on: every earlier one was. */
    publishResult: (_, _params: { agentId: AgentId; id: string }) => {},
    /** Puts a notification into the inbox. */
    acceptNotification: (_, _params: { agentId: AgentId; notification: TaskNotification }) => {},
    /** Puts into the inbox that a teammate has nothing to do now. */
    acceptIdleNotice: (_, _params: { agentId: AgentId; notice: TeammateRested }) => {},
    /** Tells whoever watches that the agent has nothing to do, and how its turn ended. */
    publishRest: (_, _params: { agentId: AgentId; rest: WorkOutcome }) => {},
    /** Nothing may run on: aborts everything at once. */
    tearOff: (_, _params: { agentId: AgentId }) => {},
    restAs: assign({ rest: (_, rest: WorkOutcome) => rest }),
    /** How its newest turn ended is not told yet, and counts. */
    restUnlessRested: assign({ rest: ({ context }, rest: WorkOutcome) => context.rest ?? rest }),
    restWithText: assign({
      rest: ({ context }): WorkOutcome => ({ status: 'completed', result: context.text }),
    }),
    countArrival: assign({ inbox: ({ context }) => context.inbox + 1 }),
    countDrained: assign({
      isPreparing: false,
      inbox: ({ context, event }) =>
        event.type === 'prepared' ? Math.max(0, context.inbox - event.drained) : context.inbox, // some came before it was there
    }),
    sampleEnded: assign({ isSampling: false, retry: undefined }),
    /** What was said before it belongs to the same reply only where nothing came in between. */
    beginTurn: assign({
      turn: ({ context }) => context.turn + 1,
      turns: ({ context }) => context.turns + 1,
      text: ({ context: { continues, calls, text } }) =>
        continues !== undefined && calls.length === 0 ? text : '',
      continues: undefined,
      calls: [],
      isShellBroken: false,
      endsTurn: undefined,
      isSampling: true,
      rest: undefined,
      isConcluded: false,
    }),
    takeReply: assign(({ context, event }) =>
      event.type === 'sample.done'
        ? {
            isSampling: false,
            retry: undefined,
            text: context.text + event.text,
            continues: event.continues,
            cuts: event.continues === 'cut' ? context.cuts + 1 : 0,
            isCompacted: false,
          }
        : {},
    ),
    /** The request came to nothing and does not count. */
    compactNext: assign({
      compactsNext: 'overflow',
      turns: ({ context }) => context.turns - 1,
    }),
    compactionEnded: assign({
      isCompacting: false,
      isCompacted: true,
      compactsNext: undefined,
      retry: undefined,
    }),
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
    hasMail: ({ context }) => context.inbox > 0,
    hasContent: ({ context }) => context.hasContent,
    hasOverflown: ({ context }) => context.compactsNext === 'overflow',
    /** The request was too long, and no compaction was tried on it. */
    mayCompact: ({ context, event }) =>
      event.type === 'sample.failed' &&
      event.failure.code === CONTEXT_WINDOW_EXCEEDED &&
      context.autoCompact !== false &&
      !context.isCompacted,
    mustCompact: ({ context }) =>
      context.compactsNext === 'overflow' && context.endsTurn === undefined && isQuiet(context),
    /** Nothing else is to be done before the conversation is compacted, or told. */
    compactsNow: ({ context }) =>
      context.compactsNext !== undefined && (context.rest === undefined || context.holding > 0),
    goesOn: ({ context }) => context.goesOn,
    isHeld: ({ context }) => context.holding > 0,
    staysOpen: ({ context }) => context.staysOpen,
    mustConclude: ({ context }) =>
      context.concludes === true && !context.isConcluded && context.rest?.status === 'completed',
    hasFailed: ({ context }) => context.rest?.status === 'failed',
    isQuiet: ({ context }) => isQuiet(context),
    endsTurn: ({ context }) =>
      (context.calls.length === 0 && context.continues === undefined) ||
      (context.endsTurn !== undefined && isYielded(context)),
    isInterrupted: ({ context }) => context.endsTurn === 'interrupted' && isYielded(context),
    isCutTooOften: ({ context }) =>
      isQuiet(context) && context.endsTurn === undefined && context.cuts > MAX_CONTINUATIONS,
    isTurnLimit: ({ context }) =>
      context.maxTurns !== undefined && context.turns >= context.maxTurns,
  },
});
