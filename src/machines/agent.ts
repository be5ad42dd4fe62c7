import { assign, enqueueActions, sendParent, setup } from 'xstate';
import type { PermissionCancel, PermissionRequest, TaskNotification } from '../core/events.js';
import type { Failure } from '../core/failure.js';
import type { AgentId, RequestId } from '../core/ids.js';
import type { WorkOutcome } from '../core/task-types.js';
import type { AgentContext, AgentEvent, AgentInput } from './agent-types.js';
import { FORCED } from './from-work.js';
import { without } from './records.js';
import { toolCallMachine, type CancelReason } from './tool-call.js';
import { startableCalls, withPhase, yieldableCalls, type ScheduledCall } from './tool-schedule.js';

const INTERRUPTED: Failure = { code: 'INTERRUPTED', message: 'Interrupted by the user.' };
const STOPPED: Failure = { code: 'STOPPED', message: 'Told to stop.' };

/**
 * The turn loop of every agent: preparing → sampling → acting → preparing …, concluding when the model asks for no tool,
 * idle while sub-agents live or more input may come, done. Tool calls are its children and start while the reply still
 * streams. It is the work of a task: told to stop, it stops what runs, waits, and settles.
 */
export const agentMachine = setup({
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
    isHeld: ({ context }) => context.holding > 0,
    staysOpen: ({ context }) => context.staysOpen,
    hasFailed: ({ context }) => context.rest?.status === 'failed',
    isQuiet: ({ context }) => isQuiet(context),
    endsTurn: ({ context }) =>
      context.calls.length === 0 || (context.endsTurn && isYielded(context)),
    isTurnLimit: ({ context }) =>
      context.maxTurns !== undefined && context.turns >= context.maxTurns,
  },
}).createMachine({
  id: 'agent',
  context: ({ input }) => ({
    ...input,
    turn: 0,
    turns: 0,
    calls: [],
    isPreparing: false,
    isSampling: false,
    retry: undefined,
    holding: 0,
    asks: {},
    isShellBroken: false,
    endsTurn: false,
    stopping: undefined,
    rest: undefined,
    text: '',
  }),
  initial: 'living',
  states: {
    living: {
      initial: 'idle',
      on: {
        'inbox.arrived': { actions: 'countArrival' },
        'inbox.closed': { actions: assign({ staysOpen: false }) },
        'children.changed': { actions: assign({ holding: ({ event }) => event.holding }) },
        'task.notification': {
          actions: [
            {
              type: 'acceptNotification',
              params: ({ context, event }) => ({ agentId: context.agentId, notification: event }),
            },
            'countArrival',
          ],
        },
        prepared: { actions: 'countDrained' }, // stopped meanwhile
        'tool.use': {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const { id } = event.call;
            enqueue.spawnChild('toolCall', { id, input: { id, agentId: context.agentId } });
            const calls = [...context.calls, { ...event.call, phase: 'queued' as const }];
            const reason = reasonNotToRun(context, event.call.isShell);
            const ids = reason === undefined ? startableCalls(calls) : [id];
            enqueue.assign({ calls: withPhase(calls, ids, 'started') });
            if (reason !== undefined) enqueue.sendTo(id, { type: 'call.cancel', reason });
            else for (const one of ids) enqueue.sendTo(one, { type: 'call.start' });
          }),
        },
        'call.settled': {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const settled = withPhase(context.calls, [event.id], 'settled');
            const yielded = yieldableCalls(settled);
            const handedOn = withPhase(settled, yielded, 'yielded');
            const call = context.calls.find((one) => one.id === event.id);
            const isOwnError = event.isError && event.cancelled === undefined;
            const breaksShell = call?.isShell === true && isOwnError;
            const cancelled = handedOn.filter(
              ({ isShell, phase }) => isLive(phase) && (event.endsTurn || (breaksShell && isShell)),
            );
            const ending = withPhase(
              handedOn,
              cancelled.map(({ id }) => id),
              'started',
            );
            const started = startableCalls(ending);
            enqueue.assign({
              calls: withPhase(ending, started, 'started'),
              isShellBroken: context.isShellBroken || breaksShell,
              endsTurn: context.endsTurn || event.endsTurn,
            });
            const reason = event.endsTurn ? 'user_interrupted' : 'sibling_error';
            for (const { id } of cancelled) enqueue.sendTo(id, { type: 'call.cancel', reason });
            for (const id of yielded) {
              const { agentId } = context;
              enqueue({ type: 'publishResult', params: { agentId, id } });
              enqueue.sendTo(id, { type: 'call.yield' });
            }
            for (const id of started) enqueue.sendTo(id, { type: 'call.start' });
          }),
        },
        'sample.retrying': { actions: assign({ retry: ({ event }) => event.retry }) },
        'xstate.done.actor.*': {
          actions: enqueueActions(({ event, enqueue }) => enqueue.stopChild(event.actorId)),
        },
        'permission.request': {
          actions: [
            assign({
              asks: ({ context, event }) => ({ ...context.asks, [event.requestId]: event.from }),
            }),
            {
              type: 'tellParent',
              params: ({ context, event }) => ({
                ...event,
                from: 'work',
                path: [
                  ...event.path,
                  { actor: context.agentId, verdict: 'passed on' as const, at: event.at },
                ],
              }),
            },
          ],
        },
        'permission.cancel': {
          guard: 'knowsAsk',
          actions: [
            assign({ asks: ({ context, event }) => without(context.asks, event.requestId) }),
            { type: 'tellParent', params: ({ event }) => event },
          ],
        },
        'permission.decision': {
          guard: 'knowsAsk', // a late one finds no entry and harms nobody
          actions: enqueueActions(({ context, event, enqueue }) => {
            enqueue.sendTo(context.asks[event.requestId] as string, event);
            enqueue.assign({ asks: without(context.asks, event.requestId) });
          }),
        },
        'agent.interrupt': { target: '.stopping', actions: assign({ stopping: 'interrupted' }) },
        'work.stop': { target: '.stopping', actions: assign({ stopping: 'killed' }) },
        'effect.failed': {
          target: 'done',
          actions: [
            {
              type: 'restAs',
              params: ({ event }) => ({ status: 'failed', failure: event.failure }),
            },
            { type: 'tearOff', params: ({ context }) => ({ agentId: context.agentId }) },
          ],
        },
        'work.force': {
          target: 'done',
          actions: [
            { type: 'restAs', params: { status: 'failed', failure: FORCED } },
            { type: 'tearOff', params: ({ context }) => ({ agentId: context.agentId }) },
          ],
        },
      },
      states: {
        /** Nothing to do now: sub-agents live, or more input may come. */
        idle: {
          initial: 'choosing',
          on: { 'agent.interrupt': {} }, // nothing to interrupt
          states: {
            choosing: {
              always: [
                { guard: 'hasFailed', target: 'failing' },
                { guard: 'hasMail', target: '#agent.living.continuing' },
                { guard: 'isHeld', target: 'waiting' },
                { guard: 'staysOpen', target: 'open' },
                { target: '#agent.done' },
              ],
            },
            failing: {
              always: [{ guard: 'staysOpen', target: 'open' }, { target: '#agent.done' }],
            },
            waiting: {
              always: [
                { guard: 'hasMail', target: 'choosing' },
                { guard: ({ context }) => context.holding === 0, target: 'choosing' },
              ],
            },
            open: {
              entry: enqueueActions(({ context: { agentId, rest }, enqueue }) => {
                if (rest === undefined) return; // it has not done anything yet
                enqueue({ type: 'publishRest', params: { agentId, rest } });
                enqueue.assign({ rest: undefined, turns: 0 });
              }),
              always: [
                { guard: 'hasMail', target: 'choosing' },
                { guard: ({ context }) => !context.staysOpen, target: 'choosing' },
              ],
            },
          },
        },
        /** Another request, unless that would be one too many. */
        continuing: {
          always: [
            {
              guard: 'isTurnLimit',
              target: 'idle',
              actions: {
                type: 'restAs',
                params: ({ context }) => ({ status: 'failed', failure: turnLimit(context) }),
              },
            },
            { target: 'preparing' },
          ],
        },
        preparing: {
          entry: [
            assign({ isPreparing: true }),
            {
              type: 'prepare',
              params: ({ context: { agentId, turn } }) => ({ agentId, turn }),
            },
          ],
          on: {
            prepared: [
              {
                guard: ({ event }) => event.hasContent,
                target: 'sampling',
                actions: 'countDrained',
              },
              { target: 'idle', actions: 'countDrained' },
            ],
          },
        },
        sampling: {
          entry: [
            assign({
              turn: ({ context }) => context.turn + 1,
              turns: ({ context }) => context.turns + 1,
              calls: [],
              isShellBroken: false,
              endsTurn: false,
              isSampling: true,
              rest: undefined,
            }),
            {
              type: 'sample',
              params: ({ context: { agentId, turn } }) => ({ agentId, turn }),
            },
          ],
          on: {
            'sample.done': {
              target: 'acting',
              actions: ['sampleEnded', assign({ text: ({ event }) => event.text })],
            },
            'sample.failed': {
              target: 'stopping',
              actions: [
                'sampleEnded',
                assign({ stopping: 'failed' }),
                {
                  type: 'restAs',
                  params: ({ event }) => ({ status: 'failed', failure: event.failure }),
                },
              ],
            },
          },
        },
        /** The reply is whole; the rest of its calls run. */
        acting: {
          on: {
            'inbox.arrived': [
              {
                guard: ({ event }) => event.isPrompt,
                actions: ['countArrival', 'cancelInterruptible'],
              },
              { actions: 'countArrival' },
            ],
          },
          always: [
            { guard: 'endsTurn', target: 'concluding' },
            { guard: 'isQuiet', target: 'continuing' },
          ],
        },
        /** The model asks for nothing more. */
        concluding: {
          always: {
            target: 'idle',
            actions: {
              type: 'restAs',
              params: ({ context }) => ({ status: 'completed', result: context.text }),
            },
          },
        },
        /** What runs is stopped and waited for; every tool use still gets its result. */
        stopping: {
          entry: [
            { type: 'abortSampling', params: ({ context }) => ({ agentId: context.agentId }) },
            {
              type: 'cancelCalls',
              params: ({ context }) =>
                context.stopping === 'interrupted' ? 'user_interrupted' : 'killed',
            },
          ],
          on: {
            'sample.done': { actions: 'sampleEnded' },
            'sample.failed': { actions: 'sampleEnded' },
            'agent.interrupt': {},
          },
          always: [
            {
              guard: ({ context }) => isQuiet(context) && context.stopping === 'killed',
              target: '#agent.done',
              actions: { type: 'restAs', params: { status: 'failed', failure: STOPPED } },
            },
            {
              guard: ({ context }) => isQuiet(context) && context.stopping === 'interrupted',
              target: 'idle',
              actions: [
                { type: 'restAs', params: { status: 'failed', failure: INTERRUPTED } },
                assign({ stopping: undefined }),
              ],
            },
            { guard: 'isQuiet', target: 'idle', actions: assign({ stopping: undefined }) },
          ],
        },
      },
    },
    done: {
      type: 'final',
      /** What its calls asked is withdrawn, where they were torn off before they could do so. */
      entry: enqueueActions(({ context, enqueue }) => {
        const requestIds = Object.keys(context.asks) as RequestId[]; // filed by their ids
        for (const requestId of requestIds)
          enqueue({ type: 'tellParent', params: { type: 'permission.cancel', requestId } });
        enqueue.assign({ asks: {} });
      }),
    },
  },
  output: ({ context }) => context.rest ?? { status: 'completed', result: context.text },
});

function isLive(phase: ScheduledCall['phase']): boolean {
  return phase === 'queued' || phase === 'started';
}

function isYielded(context: AgentContext): boolean {
  return context.calls.every((call) => call.phase === 'yielded');
}

function isQuiet(context: AgentContext): boolean {
  return !context.isPreparing && !context.isSampling && isYielded(context);
}

/** A block may still arrive when the turn is already over for it. */
function reasonNotToRun(context: AgentContext, isShell: boolean): CancelReason | undefined {
  if (context.stopping !== undefined)
    return context.stopping === 'interrupted' ? 'user_interrupted' : 'killed';
  if (context.endsTurn) return 'user_interrupted';
  return isShell && context.isShellBroken ? 'sibling_error' : undefined;
}

function turnLimit({ maxTurns }: AgentContext): Failure {
  return { code: 'MAX_TURNS', message: `Reached the maximum number of turns (${maxTurns}).` };
}
