import { assign, enqueueActions, sendTo, setup, spawnChild } from 'xstate';
import type { DoneActorEvent, ErrorActorEvent } from 'xstate';
import type {
  PermissionCancel,
  PermissionDecided,
  PermissionPatch,
  PermissionRequest,
  TaskInput,
} from '../../core/events.js';
import { notProvided } from '../not-provided.js';
import { lazyLogic } from '../lazy-logic.js';
import { permissionDeskMachine, type PermissionDeskEvent } from '../approval/permission-desk.js';
import { without } from '../records.js';
import { relayOf, requestsWithout, withdrawalsOf, type OpenRequests } from '../approval/relay.js';

export type OrchestratorEvent =
  | DoneActorEvent
  | ErrorActorEvent
  | { type: 'session.open'; task: TaskInput }
  | { type: 'mcp.open'; server: string }
  | { type: 'scheduler.open' }
  | { type: 'orchestrator.close'; reason: string }
  | Extract<PermissionDeskEvent, { type: 'desk.answer' }>
  | PermissionRequest
  | PermissionDecided
  | PermissionPatch
  | PermissionCancel;

export type OrchestratorContext = {
  /** Task IDs of live sessions: a list, because a record of many IDs is slow to copy. */
  readonly sessions: readonly string[];
  /** Live connections to MCP servers, by actor ID: `mcp:<server>`. */
  readonly connections: Readonly<Record<string, true>>;
  readonly isScheduling: boolean;
  readonly openRequests: OpenRequests;
};

/**
 * The root of one tree: sessions, the desk that decides their permission requests, and the MCP servers that they share.
 * Closing ends the sessions first, then the servers.
 */
export const orchestratorMachine = setup({
  types: { context: {} as OrchestratorContext, events: {} as OrchestratorEvent },
  actors: {
    session: notProvided('session'),
    permissionDesk: lazyLogic(() => permissionDeskMachine),
    mcpConnection: notProvided('mcpConnection'),
    scheduler: notProvided('scheduler'),
  },
  actions: {
    tellDesk: sendTo('desk', (_, message: PermissionDeskEvent) => message),
    forgetSession: enqueueActions(({ context, event, enqueue }) => {
      if (!('actorId' in event)) return;
      const { actorId } = event;
      for (const withdrawal of withdrawalsOf(context.openRequests, actorId))
        enqueue.sendTo('desk', withdrawal); // the crashed session could not withdraw them
      enqueue.assign({
        sessions: context.sessions.filter((id) => id !== actorId),
        openRequests: requestsWithout(context.openRequests, actorId),
      });
      enqueue.stopChild(actorId);
    }),
    forgetConnection: enqueueActions(({ context, event, enqueue }) => {
      if (!('actorId' in event)) return;
      enqueue.assign({ connections: without(context.connections, event.actorId) });
      enqueue.stopChild(event.actorId);
    }),
  },
  guards: {
    isSession: ({ context, event }) =>
      'actorId' in event && context.sessions.includes(event.actorId),
    isConnection: ({ context, event }) =>
      'actorId' in event && event.actorId in context.connections,
    isEmpty: ({ context }) => context.sessions.length === 0,
    isDisconnected: ({ context }) => Object.keys(context.connections).length === 0,
  },
}).createMachine({
  id: 'orchestrator',
  context: { sessions: [], connections: {}, isScheduling: false, openRequests: {} },
  invoke: { id: 'desk', systemId: 'desk', src: 'permissionDesk' },
  initial: 'open',
  on: {
    'desk.answer': { actions: { type: 'tellDesk', params: ({ event }) => event } },
    'permission.patch': { actions: { type: 'tellDesk', params: ({ event }) => event } },
    ...relayOf<OrchestratorContext, OrchestratorEvent>({
      tell: 'tellDesk',
      hop: () => 'orchestrator',
    }),
    'xstate.done.actor.*': [
      { guard: 'isSession', actions: 'forgetSession' },
      { guard: 'isConnection', actions: 'forgetConnection' },
    ],
    'xstate.error.actor.*': [
      { guard: 'isSession', actions: 'forgetSession' },
      { guard: 'isConnection', actions: 'forgetConnection' },
    ],
  },
  states: {
    open: {
      on: {
        'session.open': {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const { id } = event.task;
            enqueue.spawnChild('session', { id, input: event.task });
            enqueue.assign({ sessions: [...context.sessions, id] });
            enqueue.sendTo(id, { type: 'task.start' });
          }),
        },
        'mcp.open': {
          guard: ({ context, event }) => !(`mcp:${event.server}` in context.connections),
          actions: enqueueActions(({ context, event: { server }, enqueue }) => {
            const id = `mcp:${server}`;
            enqueue.spawnChild('mcpConnection', { id, systemId: id, input: { server } });
            enqueue.assign({ connections: { ...context.connections, [id]: true as const } });
          }),
        },
        /** Sent with the first entry that an agent schedules. The scheduler ends with the root. */
        'scheduler.open': {
          guard: ({ context }) => !context.isScheduling,
          actions: [
            assign({ isScheduling: true }),
            spawnChild('scheduler', { id: 'scheduler', systemId: 'scheduler' }),
          ],
        },
        'orchestrator.close': 'closing',
      },
    },
    /** Every session is asked to end and waited for. */
    closing: {
      entry: enqueueActions(({ context, event, enqueue }) => {
        const reason = event.type === 'orchestrator.close' ? event.reason : 'closed';
        for (const id of context.sessions) enqueue.sendTo(id, { type: 'task.kill', reason });
      }),
      always: { guard: 'isEmpty', target: 'disconnecting' },
    },
    /** No session uses the servers any more: they are asked to end and waited for. */
    disconnecting: {
      entry: enqueueActions(({ context, enqueue }) => {
        for (const id of Object.keys(context.connections))
          enqueue.sendTo(id, { type: 'connection.close' });
      }),
      always: { guard: 'isDisconnected', target: 'closed' },
    },
    closed: { type: 'final' },
  },
});
