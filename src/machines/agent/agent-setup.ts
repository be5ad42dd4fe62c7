import { assign, sendParent, setup } from 'xstate';
import type { CompactionTrigger } from '../../core/agents/compaction.js';
import type {
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
  TaskNotification,
  TeammateIdle,
  WorkIdle,
  WorkWoke,
} from '../../core/events.js';
import type { Failure } from '../../core/failure.js';
import type { AgentId } from '../../core/ids.js';
import type { WorkOutcome } from '../../core/task-types.js';
import { CONTEXT_WINDOW_EXCEEDED, MAX_CONTINUATIONS } from './agent-failures.js';
import { isLive, isQuiet, isYielded, planSettled, planUse } from './plan-calls.js';
import {
  NO_CALLS,
  type AgentContext,
  type AgentEffect,
  type AgentEvent,
  type AgentInput,
} from './agent-types.js';
import { withdrawalsOf } from '../approval/relay.js';
import type { CancelReason } from './tool-call.js';

type CallId = { readonly agentId: AgentId; readonly id: string };

/** The setup of the agent's machine: its guards, and the effects that the composition root provides. */
export const agentSetup = setup({
  types: {
    input: {} as AgentInput,
    context: {} as AgentContext,
    events: {} as AgentEvent,
    output: {} as WorkOutcome,
  },
  actions: {
    tellParent: sendParent(
      (_, message: PermissionRequest | PermissionCancel | WorkIdle | WorkWoke) => message,
    ),
    /** Takes the messages from the mailbox and makes the next user message; sends `prepared`. */
    prepare: (_, _params: { agentId: AgentId; turn: number }) => {},
    /** Makes one request; sends `tool.use` for each finished block, then `sample.done` or `sample.failed`. */
    sample: (_, _params: { agentId: AgentId; turn: number }) => {},
    /** Compacts the conversation; sends `compaction.done` or `compaction.failed`. */
    compact: (_, _params: { agentId: AgentId; turn: number; trigger: CompactionTrigger }) => {},
    abortSampling: (_, _params: { agentId: AgentId }) => {},
    /** Runs the stop check; sends `concluded`. `isCut`: a denial ended the turn. */
    conclude: (_, _params: { agentId: AgentId; turn: number; isCut: boolean; text: string }) => {},
    startCall: (_, _params: CallId) => {},
    cancelCall: (_, _params: CallId & { reason: CancelReason }) => {},
    /** Brings the decision to the call that asked. */
    answerCall: (_, _params: CallId & { decided: PermissionDecided }) => {},
    /** Publishes a result after all earlier ones. Then the call is forgotten. */
    publishResult: (_, _params: CallId) => {},
    /** Puts a notification into the mailbox. */
    acceptNotification: (_, _params: { agentId: AgentId; notification: TaskNotification }) => {},
    /** Puts a notice into the mailbox: a teammate is idle. */
    acceptIdleNotice: (_, _params: { agentId: AgentId; notice: TeammateIdle }) => {},
    /** Emits the turn outcome of an idle agent. */
    publishTurnOutcome: (_, _params: { agentId: AgentId; turnOutcome: WorkOutcome }) => {},
    /** Aborts all effects at once. */
    tearOff: (_, _params: { agentId: AgentId }) => {},
    begin: assign({ effect: (_, kind: AgentEffect['kind']): AgentEffect => ({ kind }) }),
    effectEnded: assign({ effect: undefined }),
    rememberRetry: assign({
      effect: ({ context: { effect }, event }) =>
        event.type === 'sample.retrying' && effect !== undefined
          ? { ...effect, retry: event.retry }
          : effect,
    }),
    failAs: assign({
      turnOutcome: (_, failure: Failure): WorkOutcome => ({ status: 'failed', failure }),
    }),
    /** Keep an outcome that was not published yet. */
    keepTurnOutcome: assign({
      turnOutcome: ({ context }, turnOutcome: WorkOutcome) => context.turnOutcome ?? turnOutcome,
    }),
    completeTurn: assign({
      turnOutcome: ({ context }): WorkOutcome => ({
        status: 'completed',
        result: context.reply.text,
      }),
    }),
    rememberDeferral: assign({
      batch: ({ context: { batch }, event }) =>
        event.type === 'turn.deferred' ? { ...batch, deferral: event.outcome } : batch,
    }),
    deferTurn: assign({ turnOutcome: ({ context }) => context.batch.deferral }),
    /** Reset the counters of the turn. */
    forgetTurn: assign(({ context: { turnOutcome, reply } }) =>
      turnOutcome === undefined
        ? {}
        : { turnOutcome: undefined, turns: 0, reply: { ...reply, cuts: 0, continues: undefined } },
    ),
    countArrival: assign({ inbox: ({ context }) => context.inbox + 1 }),
    countDrained: assign({
      effect: undefined,
      inbox: ({ context, event }) =>
        event.type === 'prepared' ? Math.max(0, context.inbox - event.drained) : context.inbox, // some came before the agent started
    }),
    /** Keep the outcome of a turn that makes no request. */
    takeOutcome: assign(({ event }) =>
      event.type === 'prepared' && event.outcome !== undefined
        ? { turnOutcome: event.outcome, isConcluded: true }
        : {},
    ),
    /** The text of an earlier reply belongs to the same answer only if no result came in between. */
    beginTurn: assign({
      turn: ({ context }) => context.turn + 1,
      turns: ({ context }) => context.turns + 1,
      reply: ({ context: { reply, batch } }) => ({
        text: reply.continues !== undefined && batch.calls.length === 0 ? reply.text : '',
        continues: undefined,
        cuts: reply.cuts,
      }),
      batch: NO_CALLS,
      effect: { kind: 'sampling' },
      turnOutcome: undefined,
      isConcluded: false,
    }),
    takeReply: assign(({ context: { reply, compaction }, event }) => {
      if (event.type !== 'sample.done') return {};
      const { text, continues } = event;
      const cuts = continues === 'cut' ? reply.cuts + 1 : 0;
      return {
        effect: undefined,
        reply: { text: reply.text + text, continues, cuts },
        compaction: { ...compaction, isTried: false },
      };
    }),
    compactOnRequest: assign({
      compaction: ({ context: { compaction } }) => ({
        ...compaction,
        next: compaction.next ?? 'manual',
      }),
    }),
    /** The failed request does not count as a turn. */
    compactNext: assign({
      compaction: ({ context }) => ({ ...context.compaction, next: 'overflow' }),
      turns: ({ context }) => context.turns - 1,
    }),
    keepContent: assign({
      compaction: ({ context: { compaction }, event }) => ({
        ...compaction,
        hasContent: event.type === 'prepared' && event.hasContent,
      }),
    }),
    /** The end of a turn drops a compaction, except one on request. */
    dropCompaction: assign({
      compaction: ({ context: { compaction } }) =>
        compaction.next === 'manual' ? compaction : { ...compaction, next: undefined },
    }),
    compactionEnded: assign({
      effect: undefined,
      compaction: ({ context }) => ({ ...context.compaction, next: undefined, isTried: true }),
    }),
  },
  guards: {
    hasMail: ({ context }) => context.inbox > 0,
    hasContent: ({ context }) => context.compaction.hasContent,
    hasOverflown: ({ context }) => context.compaction.next === 'overflow',
    /** The request was too long, and its conversation was not compacted yet. */
    mayCompact: ({ context, event }) =>
      event.type === 'sample.failed' &&
      event.failure.code === CONTEXT_WINDOW_EXCEEDED &&
      context.input.autoCompact !== false &&
      !context.compaction.isTried,
    mustCompact: ({ context }) =>
      context.compaction.next === 'overflow' &&
      context.batch.endsTurn === undefined &&
      isQuiet(context),
    /** Compaction comes before everything else, but after the end of the turn is published. */
    compactsNow: ({ context }) =>
      context.compaction.next !== undefined &&
      (context.turnOutcome === undefined || context.holding > 0),
    resumesTurn: ({ context }) => context.resumesTurn,
    isHeld: ({ context }) => context.holding > 0,
    isFree: ({ context }) => context.holding === 0,
    staysOpen: ({ context }) => context.staysOpen,
    isClosed: ({ context }) => !context.staysOpen,
    mustConclude: ({ context }) =>
      context.input.concludes === true &&
      !context.isConcluded &&
      context.turnOutcome?.status === 'completed',
    hasFailed: ({ context }) => context.turnOutcome?.status === 'failed',
    isQuiet: ({ context }) => isQuiet(context),
    isDeferred: ({ context: { batch, effect } }) =>
      batch.deferral !== undefined &&
      effect === undefined &&
      batch.calls.some(({ phase }) => isLive(phase)),
    hasStopped: ({ context }, stopping: AgentContext['stopping']) =>
      context.stopping === stopping && isQuiet(context),
    isKilled: ({ context }) => context.stopping === 'killed',
    endsTurn: ({ context: { batch, reply } }) =>
      (batch.calls.length === 0 && reply.continues === undefined) ||
      (batch.endsTurn !== undefined && isYielded(batch)),
    isInterrupted: ({ context: { batch } }) => batch.endsTurn === 'interrupted' && isYielded(batch),
    isCutTooOften: ({ context }) =>
      isQuiet(context) &&
      context.batch.endsTurn === undefined &&
      context.reply.cuts > MAX_CONTINUATIONS,
    isTurnLimit: ({ context: { input, turns } }) =>
      input.maxTurns !== undefined && turns >= input.maxTurns,
  },
});

/** Put the news about a child of the task into the mailbox. */
export const acceptNews = agentSetup.enqueueActions(({ context, event, enqueue }) => {
  const { agentId } = context.input;
  if (event.type === 'task.notification')
    enqueue({ type: 'acceptNotification', params: { agentId, notification: event } });
  if (event.type === 'teammate.idle')
    enqueue({ type: 'acceptIdleNotice', params: { agentId, notice: event } });
});

/** Add a new tool call, and start it if it may run now. */
export const useTool = agentSetup.enqueueActions(({ context, event, enqueue }) => {
  if (event.type !== 'tool.use') return;
  const { agentId } = context.input;
  const { batch, cancelled, reason, started } = planUse(context, event.call);
  enqueue.assign({ batch });
  for (const id of cancelled) enqueue({ type: 'cancelCall', params: { agentId, id, reason } });
  for (const id of started) enqueue({ type: 'startCall', params: { agentId, id } });
});

/** A call has its result: continue or cancel the calls that waited for it. */
export const takeResult = agentSetup.enqueueActions(({ context, event, enqueue }) => {
  if (event.type !== 'call.settled') return;
  const { agentId } = context.input;
  const { batch, cancelled, reason, yielded, started } = planSettled(context, event);
  enqueue.assign({ batch });
  for (const id of cancelled) enqueue({ type: 'cancelCall', params: { agentId, id, reason } });
  for (const id of yielded) enqueue({ type: 'publishResult', params: { agentId, id } });
  for (const id of started) enqueue({ type: 'startCall', params: { agentId, id } });
});

export const cancelInterruptible = agentSetup.enqueueActions(({ context, enqueue }) => {
  const { agentId } = context.input;
  for (const { id, onInterrupt, phase } of context.batch.calls)
    if (onInterrupt === 'cancel' && phase === 'started')
      enqueue({ type: 'cancelCall', params: { agentId, id, reason: 'user_interrupted' } });
});

export const cancelCalls = agentSetup.enqueueActions(({ context, enqueue }) => {
  const { agentId } = context.input;
  const isByUser = context.stopping === 'interrupted' || context.stopping === 'quitting';
  const reason = isByUser ? 'user_interrupted' : 'killed';
  for (const { id, phase } of context.batch.calls)
    if (isLive(phase)) enqueue({ type: 'cancelCall', params: { agentId, id, reason } });
});

/** Publish the turn outcome, unless it was published or there is none yet. */
export const publishEnd = agentSetup.enqueueActions(
  ({ context: { input, turnOutcome }, enqueue }) => {
    if (turnOutcome !== undefined)
      enqueue({ type: 'publishTurnOutcome', params: { agentId: input.agentId, turnOutcome } });
  },
);

/**
 * A teammate tells its task that it is idle, so that its parent no longer waits for it. `work.woke` is sent before
 * anything else, so that no parent ends in between.
 */
export const tellIdle = agentSetup.enqueueActions(
  ({ context: { input, turnOutcome }, enqueue }) => {
    if (input.tellsIdle === true)
      enqueue({
        type: 'tellParent',
        params: { type: 'work.idle', ...(turnOutcome === undefined ? {} : { turnOutcome }) },
      });
  },
);

export const tellWoke = agentSetup.enqueueActions(({ context, enqueue }) => {
  if (context.input.tellsIdle === true)
    enqueue({ type: 'tellParent', params: { type: 'work.woke' } });
});

export const abortSampling = agentSetup.enqueueActions(({ context, enqueue }) => {
  enqueue({ type: 'abortSampling', params: { agentId: context.input.agentId } });
});

export const tearOffAll = agentSetup.enqueueActions(({ context, enqueue }) => {
  enqueue({ type: 'tearOff', params: { agentId: context.input.agentId } });
});

/** Aborted calls could not withdraw their permission requests. */
export const withdrawAll = agentSetup.enqueueActions(({ context, enqueue }) => {
  for (const withdrawal of withdrawalsOf(context.openRequests))
    enqueue({ type: 'tellParent', params: withdrawal });
  enqueue.assign({ openRequests: {} });
});
