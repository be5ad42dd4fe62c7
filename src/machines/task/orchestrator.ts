import { assign, enqueueActions, sendTo, setup, spawnChild } from 'xstate';
import type { DoneActorEvent, ErrorActorEvent } from 'xstate';
import type {
  ChildEnded,
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
import { relayOf, requestsWithout, type OpenRequests } from '../approval/relay.js';
import { countIn, countOut, MOST_SUPERVISED, roomyOf, type Supervised } from './supervised.js';
import { supervisorMachine } from './supervisor.js';

export type OrchestratorEvent =
  | DoneActorEvent
  | ErrorActorEvent
  | { type: 'session.open'; task: TaskInput }
  | ChildEnded
  | { type: 'mcp.open'; server: string }
  | { type: 'scheduler.open' }
  | { type: 'orchestrator.close'; reason: string }
  | Extract<PermissionDeskEvent, { type: 'desk.answer' }>
  | PermissionRequest
  | PermissionDecided
  | PermissionPatch
  | PermissionCancel;

export type OrchestratorContext = {
  /** Counts of the live sessions below supervisors, by the local ID of the supervisor. */
  readonly supervisors: Readonly<Record<string, Supervised>>;
  /** Live connections to MCP servers, by actor ID: `mcp:<server>`. */
  readonly connections: Readonly<Record<string, true>>;
  readonly isScheduling: boolean;
  readonly openRequests: OpenRequests;
};

/**
 * The root of one tree: sessions below supervisors, the desk that decides their permission requests, and the MCP servers
 * that they share.
 * Closing ends the sessions first, then the servers.
 */
export const orchestratorMachine = setup({
  types: { context: {} as OrchestratorContext, events: {} as OrchestratorEvent },
  actors: {
    supervisor: lazyLogic(() => supervisorMachine),
    permissionDesk: lazyLogic(() => permissionDeskMachine),
    mcpConnection: notProvided('mcpConnection'),
    scheduler: notProvided('scheduler'),
  },
  actions: {
    tellDesk: sendTo('desk', (_, message: PermissionDeskEvent) => message),
    forgetSession: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'child.ended') return;
      const supervisors = countOut(context.supervisors, event.from, event);
      enqueue.assign({ supervisors });
      if (event.from in supervisors) return;
      enqueue.assign({ openRequests: requestsWithout(context.openRequests, event.from) });
      enqueue.stopChild(event.from);
    }),
    forgetConnection: enqueueActions(({ context, event, enqueue }) => {
      if (!('actorId' in event)) return;
      enqueue.assign({ connections: without(context.connections, event.actorId) });
      enqueue.stopChild(event.actorId);
    }),
  },
  guards: {
    knowsSupervisor: ({ context, event }) =>
      event.type === 'child.ended' && event.from in context.supervisors,
    isConnection: ({ context, event }) =>
      'actorId' in event && event.actorId in context.connections,
    isEmpty: ({ context }) => Object.keys(context.supervisors).length === 0,
    isDisconnected: ({ context }) => Object.keys(context.connections).length === 0,
  },
}).createMachine({
  id: 'orchestrator',
  context: { supervisors: {}, connections: {}, isScheduling: false, openRequests: {} },
  invoke: { id: 'desk', systemId: 'desk', src: 'permissionDesk' },
  initial: 'open',
  on: {
    'desk.answer': { actions: { type: 'tellDesk', params: ({ event }) => event } },
    'permission.patch': { actions: { type: 'tellDesk', params: ({ event }) => event } },
    ...relayOf<OrchestratorContext, OrchestratorEvent>({
      tell: 'tellDesk',
      hop: () => 'orchestrator',
    }),
    'child.ended': { guard: 'knowsSupervisor', actions: 'forgetSession' },
    'xstate.done.actor.*': { guard: 'isConnection', actions: 'forgetConnection' },
    'xstate.error.actor.*': { guard: 'isConnection', actions: 'forgetConnection' },
  },
  states: {
    open: {
      on: {
        'session.open': {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const { task } = event;
            const id = roomyOf(context.supervisors, MOST_SUPERVISED);
            if (!(id in context.supervisors))
              enqueue.spawnChild('supervisor', { id, input: { id } });
            enqueue.assign({ supervisors: countIn(context.supervisors, id, task.kind) });
            enqueue.sendTo(id, { type: 'task.spawn', task });
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
        for (const id of Object.keys(context.supervisors))
          enqueue.sendTo(id, { type: 'task.kill', reason });
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
