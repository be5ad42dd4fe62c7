import { assign, enqueueActions, sendParent, setup } from 'xstate';
import type { DoneActorEvent, ErrorActorEvent, EventObject } from 'xstate';
import type {
  ChildEnded,
  ChildIdle,
  ChildrenChanged,
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
  TaskBackground,
  TaskBackgrounded,
  TaskForce,
  TaskInput,
  TaskKill,
  TaskNotification,
  TaskRefused,
  TaskSpawn,
  TaskStart,
  TaskSwept,
  TeammateIdle,
  WorkIdle,
  WorkWoke,
} from '../../core/events.js';
import {
  OWNER_ENDED,
  type TaskOutcome,
  type TaskStatus,
  type WorkOutcome,
} from '../../core/task-types.js';
import { lazyLogic } from '../lazy-logic.js';
import { notProvided } from '../not-provided.js';
import { outcomeOf } from './outcome-of.js';
import { requestsWithout, type OpenRequests } from '../approval/relay.js';
import {
  countIn,
  countOut,
  countIdle,
  holdingOf,
  MOST_SUPERVISED,
  roomyOf,
  type Supervised,
} from './supervised.js';
import { supervisorMachine } from './supervisor.js';
import {
  CHILD_LOGIC,
  changeChild,
  findChild,
  holdsItsAgent,
  isNews,
  withoutChild,
  type Spawnable,
  type TaskChild,
} from './task-child.js';

export type TaskEvent =
  | DoneActorEvent
  | ErrorActorEvent
  | TaskStart
  | TaskKill
  | TaskForce
  | TaskBackground
  | TaskBackgrounded
  | TaskSwept
  | TaskSpawn
  | PermissionRequest
  | PermissionDecided
  | PermissionCancel
  | ChildEnded
  | ChildIdle
  | WorkIdle
  | WorkWoke
  | WorkSend;

/** A message for the work of a task. Its sender knows the task only. A task that ends passes nothing on. */
export type WorkSend = { readonly type: 'work.send'; readonly event: EventObject };

/** Messages of a task to its parent. The end of a child is xstate's own done event. */
export type TaskMessage = PermissionRequest | PermissionCancel | TaskBackgrounded | ChildIdle;

export type TaskContext = {
  readonly input: TaskInput;
  readonly isBackgrounded: boolean;
  /** Set once: the first reason to end wins. */
  readonly outcome: TaskOutcome | undefined;
  /** Live child tasks without a supervisor. */
  readonly children: readonly TaskChild[];
  /** Counts of the children below supervisors, by the local ID of the supervisor. */
  readonly supervisors: Readonly<Record<string, Supervised>>;
  readonly openRequests: OpenRequests;
  /** The work is idle, and got no message since. */
  readonly isWorkIdle: boolean;
  /** The newest turn outcome of the work, until the parent has it. */
  readonly turnOutcome: WorkOutcome | undefined;
  /** The parent knows that this task and all tasks below it are idle. */
  readonly isIdle: boolean;
};

/** The setup of the task's machine: its children, the effects that the composition root provides, and its guards. */
export const taskSetup = setup({
  types: {
    input: {} as TaskInput,
    context: {} as TaskContext,
    events: {} as TaskEvent,
    output: {} as TaskOutcome,
  },
  actors: {
    work: notProvided('work'),
    ...CHILD_LOGIC,
    supervisor: lazyLogic(() => supervisorMachine),
  },
  actions: {
    tellParent: sendParent((_, message: TaskMessage) => message),
    /**
     * Publishes the status, and that the task moved to the background or is idle. Everything outside the tree learns it
     * here.
     */
    record: (_, _params: { status: TaskStatus }) => {},
    /** Reports that a child was refused. */
    refuse: (_, _params: TaskRefused) => {},
    /** Ends every process that the task left behind, then sends `task.swept`. */
    sweep: (_, _params: { id: string }) => {},
    /** Sends `task.force` when the grace period of the subtree is over. */
    armDeadline: (_, _params: { id: string }) => {},
    /** Starts the child, and tells the work how many children now keep it from ending. */
    adoptChild: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'task.spawn') return;
      const { id, kind, isBackgrounded } = event.task;
      enqueue.spawnChild(kind as Spawnable, { id, input: event.task });
      const children = [...context.children, { id, kind, isBackgrounded }];
      enqueue.assign({ children });
      if (holdsItsAgent(kind))
        enqueue.sendTo('work', {
          type: 'children.changed',
          holding: holdingOf({ ...context, children }),
        });
      if (event.task.isQueued !== true) enqueue.sendTo(id, { type: 'task.start' });
    }),
    /** The list of children is full: a supervisor starts the child. */
    passChildOn: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'task.spawn') return;
      const id = roomyOf(context.supervisors, MOST_SUPERVISED);
      if (!(id in context.supervisors)) enqueue.spawnChild('supervisor', { id, input: { id } });
      const { kind } = event.task;
      const supervisors = countIn(context.supervisors, id, kind);
      enqueue.assign({ supervisors });
      if (holdsItsAgent(kind))
        enqueue.sendTo('work', {
          type: 'children.changed',
          holding: holdingOf({ ...context, supervisors }),
        });
      enqueue.sendTo(id, event);
    }),
    forgetChild: enqueueActions(({ context, event, enqueue }) => {
      if (event.type === 'child.ended') {
        const supervisors = countOut(context.supervisors, event.from, event);
        const isLeft = event.from in supervisors;
        enqueue.assign(
          isLeft
            ? { supervisors }
            : { supervisors, openRequests: requestsWithout(context.openRequests, event.from) },
        );
        if (!isLeft) enqueue.stopChild(event.from);
      } else if ('actorId' in event) {
        const gone = event.actorId;
        enqueue.assign({
          children: withoutChild(context.children, gone),
        });
        enqueue.stopChild(gone);
      }
    }),
    /** A background child ended: the work gets a notification first, and then may end. */
    tellWorkOfEnd: enqueueActions(({ context, event, enqueue }) => {
      const end = endOf(context, event);
      if (end === undefined) return;
      const { id, kind, isBackgrounded, outcome, left } = end;
      if (isBackgrounded && isNews(kind)) {
        if (context.isWorkIdle) enqueue.assign({ isWorkIdle: false });
        enqueue.sendTo('work', {
          type: 'task.notification',
          id,
          kind,
          outcome,
        } satisfies TaskNotification);
      }
      if (holdsItsAgent(kind))
        enqueue.sendTo('work', {
          type: 'children.changed',
          holding: holdingOf(left),
        } satisfies ChildrenChanged);
    }),
    rememberIdle: assign(({ context: { children, supervisors }, event }) => {
      if (event.type !== 'child.idle') return {};
      const { id, from, isIdle } = event;
      if (from !== undefined) return { supervisors: countIdle(supervisors, from, isIdle) };
      return { children: changeChild(children, id, { isIdle }) };
    }),
    /** The work gets the outcome of an idle teammate first, and then may end. */
    tellWorkOfIdle: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'child.idle') return;
      const { id, turnOutcome } = event;
      if (turnOutcome !== undefined) {
        if (context.isWorkIdle) enqueue.assign({ isWorkIdle: false });
        enqueue.sendTo('work', { type: 'teammate.idle', id, turnOutcome } satisfies TeammateIdle);
      }
      enqueue.sendTo('work', {
        type: 'children.changed',
        holding: holdingOf(context),
      } satisfies ChildrenChanged);
    }),
    /** The end of the child will now be a notification. */
    rememberBackgrounded: assign({
      children: ({ context, event }) => {
        if (event.type !== 'task.backgrounded') return context.children;
        return changeChild(context.children, event.id, { isBackgrounded: true });
      },
    }),
    killChildren: enqueueActions(({ context, enqueue }) => {
      for (const id of childActors(context))
        enqueue.sendTo(id, { type: 'task.kill', reason: OWNER_ENDED });
    }),
    forceChildren: enqueueActions(({ context, enqueue }) => {
      for (const id of childActors(context)) enqueue.sendTo(id, { type: 'task.force' });
    }),
    settleAs: assign({
      outcome: ({ context }, outcome: TaskOutcome) => context.outcome ?? outcome,
    }),
  },
  guards: {
    isCrowded: ({ context }) => context.children.length >= MOST_SUPERVISED,
    isChild: ({ context, event }) =>
      'actorId' in event && findChild(context.children, event.actorId) !== undefined,
    knowsSupervisor: ({ context, event }) =>
      event.type === 'child.ended' && event.from in context.supervisors,
    knowsSender: ({ context: { children, supervisors }, event }) =>
      event.type === 'child.idle' &&
      (event.from === undefined
        ? findChild(children, event.id) !== undefined
        : event.from in supervisors),
    knowsChild: ({ context, event }) =>
      event.type === 'task.backgrounded' && findChild(context.children, event.id) !== undefined,
    /** A tool call waits for the task in the foreground, and the parent can get a notification instead. */
    isWaitedFor: ({ context }) => !context.isBackgrounded && context.input.kind !== 'session',
    hasNoChildren: ({ context }) => !hasChildren(context),
    endsAs: ({ context }, status: TaskOutcome['status']) => context.outcome?.status === status,
  },
});

/**
 * A task is idle if its work is idle and none of its children works: then its parent does not wait for it. The parent
 * learns of each change in the same step, all the way up.
 */
export const tellIdleChange = taskSetup.enqueueActions(({ context, enqueue }) => {
  const { input, isWorkIdle, turnOutcome } = context;
  const isIdle = isWorkIdle && holdingOf(context) === 0;
  if (isIdle === context.isIdle) return;
  enqueue.assign(isIdle ? { isIdle, turnOutcome: undefined } : { isIdle });
  enqueue({ type: 'record', params: { status: 'running' } });
  const news = isIdle && turnOutcome !== undefined ? { turnOutcome } : {};
  enqueue({
    type: 'tellParent',
    params: { type: 'child.idle', id: input.id, isIdle, ...news },
  });
});

export function hasChildren({ children, supervisors }: TaskContext): boolean {
  return children.length + Object.keys(supervisors).length > 0;
}

/** Local IDs of the actors below: children and supervisors. */
function childActors({ children, supervisors }: TaskContext): readonly string[] {
  return [...children.map(({ id }) => id), ...Object.keys(supervisors)];
}

/** The child whose end an event reports, and the children that are left. */
function endOf(
  { children, supervisors }: TaskContext,
  event: TaskEvent,
):
  | (Omit<ChildEnded, 'type' | 'from'> & {
      readonly left: Pick<TaskContext, 'children' | 'supervisors'>;
    })
  | undefined {
  if (event.type === 'child.ended')
    return {
      ...event,
      left: { children, supervisors: countOut(supervisors, event.from, event) },
    };
  if (!('actorId' in event)) return undefined;
  return {
    ...(findChild(children, event.actorId) as TaskChild), // guarded by `isChild`
    outcome: outcomeOf(event),
    left: { children: withoutChild(children, event.actorId), supervisors },
  };
}
