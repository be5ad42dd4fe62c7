import { assign, enqueueActions, sendParent, setup } from 'xstate';
import type { DoneActorEvent, ErrorActorEvent } from 'xstate';
import type {
  ChildEnded,
  ChildIdle,
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
  TaskBackgrounded,
  TaskForce,
  TaskKill,
  TaskSpawn,
} from '../../core/events.js';
import { outcomeOf } from './outcome-of.js';
import { relayOf, requestsWithout, withdrawalsOf, type OpenRequests } from '../approval/relay.js';
import { CHILD_LOGIC, changeChild, findChild, withoutChild, type TaskChild } from './task-child.js';
import { notProvided } from '../not-provided.js';

export type SupervisorEvent =
  | DoneActorEvent
  | ErrorActorEvent
  | TaskSpawn
  | TaskKill
  | TaskForce
  | TaskBackgrounded
  | ChildIdle
  | PermissionRequest
  | PermissionDecided
  | PermissionCancel;

export type SupervisorMessage = ChildEnded | ChildIdle | PermissionRequest | PermissionCancel;

export type SupervisorContext = {
  /** Local ID of the supervisor. */
  readonly id: string;
  /** Live child tasks: a list, because a record of IDs is slow to copy. */
  readonly children: readonly TaskChild[];
  readonly openRequests: OpenRequests;
};

/** The children of tasks, and sessions, the children of the root. */
const SUPERVISED_LOGIC = { ...CHILD_LOGIC, session: notProvided('session') };

/**
 * A part of the children of a task with many children, or of the sessions of the root. An actor that adds or drops a
 * child copies the list of all its children, so the lists are kept short. The supervisor forwards messages in both
 * directions and is no hop of a permission request. It ends when its parent, which counts with it, has no child left
 * here.
 */
export const supervisorMachine = setup({
  types: {
    input: {} as { readonly id: string },
    context: {} as SupervisorContext,
    events: {} as SupervisorEvent,
  },
  actors: SUPERVISED_LOGIC,
  actions: {
    tellParent: sendParent((_, message: SupervisorMessage) => message),
    tellChildren: enqueueActions(({ context, event, enqueue }) => {
      for (const { id } of context.children) enqueue.sendTo(id, event);
    }),
  },
  guards: {
    isChild: ({ context, event }) =>
      'actorId' in event && findChild(context.children, event.actorId) !== undefined,
    knowsChild: ({ context, event }) =>
      'id' in event && findChild(context.children, event.id) !== undefined,
  },
}).createMachine({
  id: 'supervisor',
  context: ({ input }) => ({ id: input.id, children: [], openRequests: {} }),
  on: {
    'task.spawn': {
      actions: enqueueActions(({ context, event, enqueue }) => {
        const { id, kind, isBackgrounded, isQueued } = event.task;
        enqueue.spawnChild(kind as keyof typeof SUPERVISED_LOGIC, { id, input: event.task });
        enqueue.assign({ children: [...context.children, { id, kind, isBackgrounded }] });
        if (isQueued !== true) enqueue.sendTo(id, { type: 'task.start' });
      }),
    },
    'task.kill': { actions: 'tellChildren' },
    'task.force': { actions: 'tellChildren' },
    'task.backgrounded': {
      guard: 'knowsChild',
      actions: assign({
        children: ({ context, event }) =>
          changeChild(context.children, event.id, { isBackgrounded: true }),
      }),
    },
    'child.idle': {
      guard: 'knowsChild',
      actions: [
        assign({
          children: ({ context, event: { id, isIdle } }) =>
            changeChild(context.children, id, { isIdle }),
        }),
        { type: 'tellParent', params: ({ context, event }) => ({ ...event, from: context.id }) },
      ],
    },
    /** A child has ended or crashed. A crashed child could not withdraw its permission requests. */
    'xstate.*': {
      guard: 'isChild',
      actions: enqueueActions(({ context, event, enqueue }) => {
        const { actorId } = event;
        for (const withdrawal of withdrawalsOf(context.openRequests, actorId))
          enqueue({ type: 'tellParent', params: withdrawal });
        enqueue.assign({
          openRequests: requestsWithout(context.openRequests, actorId),
          children: withoutChild(context.children, actorId),
        });
        enqueue.stopChild(actorId);
        enqueue({ type: 'tellParent', params: endOf(context, event) });
      }),
    },
    ...relayOf<SupervisorContext, SupervisorEvent>({ tell: 'tellParent', from: ({ id }) => id }),
  },
});

function endOf(
  { id, children }: SupervisorContext,
  event: DoneActorEvent | ErrorActorEvent,
): ChildEnded {
  return {
    type: 'child.ended',
    from: id,
    ...(findChild(children, event.actorId) as TaskChild), // guarded by `isChild`
    outcome: outcomeOf(event),
  };
}
