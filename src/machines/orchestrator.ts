import { assign, enqueueActions, sendTo, setup } from 'xstate';
import type { DoneActorEvent, ErrorActorEvent } from 'xstate';
import type {
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
  TaskInput,
} from '../core/events.js';
import { notProvided } from './not-provided.js';
import { permissionDeskMachine, type PermissionDeskEvent } from './permission-desk.js';
import { without } from './records.js';

export type OrchestratorEvent =
  | DoneActorEvent
  | ErrorActorEvent
  | { type: 'session.open'; task: TaskInput }
  | { type: 'orchestrator.close'; reason: string }
  | Extract<PermissionDeskEvent, { type: 'desk.answer' }>
  | PermissionRequest
  | PermissionDecided
  | PermissionCancel;

export type OrchestratorContext = {
  /** Live sessions, by task id. */
  readonly sessions: Readonly<Record<string, true>>;
  /** Open asks: request id → the session that it came from. */
  readonly asks: Readonly<Record<string, string>>;
};

/** The root of one tree: sessions, and the desk at which their asks are answered. Closing ends the sessions first. */
export const orchestratorMachine = setup({
  types: { context: {} as OrchestratorContext, events: {} as OrchestratorEvent },
  actors: { session: notProvided('session'), permissionDesk: permissionDeskMachine },
  actions: {
    tellDesk: sendTo('desk', (_, message: PermissionDeskEvent) => message),
    forgetSession: enqueueActions(({ context, event, enqueue }) => {
      if (!('actorId' in event)) return;
      const { actorId } = event;
      const isLeft = ([, from]: readonly [string, string]) => from === actorId;
      const asks = Object.entries(context.asks);
      for (const [requestId] of asks.filter(isLeft))
        // it crashed: nobody else withdraws them
        enqueue.sendTo('desk', { type: 'permission.cancel', requestId });
      enqueue.assign({
        sessions: without(context.sessions, actorId),
        asks: Object.fromEntries(asks.filter((ask) => !isLeft(ask))),
      });
      enqueue.stopChild(actorId);
    }),
  },
  guards: {
    knowsAsk: ({ context, event }) => 'requestId' in event && event.requestId in context.asks,
    isSession: ({ context, event }) => 'actorId' in event && event.actorId in context.sessions,
    isEmpty: ({ context }) => Object.keys(context.sessions).length === 0,
  },
}).createMachine({
  id: 'orchestrator',
  context: { sessions: {}, asks: {} },
  invoke: { id: 'desk', src: 'permissionDesk' },
  initial: 'open',
  on: {
    'desk.answer': { actions: { type: 'tellDesk', params: ({ event }) => event } },
    'permission.request': {
      actions: [
        assign({
          asks: ({ context, event }) => ({ ...context.asks, [event.requestId]: event.from }),
        }),
        {
          type: 'tellDesk',
          params: ({ event }) => ({
            ...event,
            path: [
              ...event.path,
              { actor: 'orchestrator', verdict: 'passed on' as const, at: event.at },
            ],
          }),
        },
      ],
    },
    'permission.cancel': {
      guard: 'knowsAsk',
      actions: [
        assign({ asks: ({ context, event }) => without(context.asks, event.requestId) }),
        { type: 'tellDesk', params: ({ event }) => event },
      ],
    },
    'permission.decision': {
      guard: 'knowsAsk',
      actions: enqueueActions(({ context, event, enqueue }) => {
        enqueue.sendTo(context.asks[event.requestId] as string, event);
        enqueue.assign({ asks: without(context.asks, event.requestId) });
      }),
    },
    'xstate.done.actor.*': { guard: 'isSession', actions: 'forgetSession' },
    'xstate.error.actor.*': { guard: 'isSession', actions: 'forgetSession' },
  },
  states: {
    open: {
      on: {
        'session.open': {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const { id } = event.task;
            enqueue.spawnChild('session', { id, input: event.task });
            enqueue.assign({ sessions: { ...context.sessions, [id]: true as const } });
            enqueue.sendTo(id, { type: 'task.start' });
          }),
        },
        'orchestrator.close': 'closing',
      },
    },
    /** Every session is told to end and waited for. */
    closing: {
      entry: enqueueActions(({ context, event, enqueue }) => {
        const reason = event.type === 'orchestrator.close' ? event.reason : 'closed';
        for (const id of Object.keys(context.sessions))
          enqueue.sendTo(id, { type: 'task.kill', reason });
      }),
      always: { guard: 'isEmpty', target: 'closed' },
    },
    closed: { type: 'final' },
  },
});
