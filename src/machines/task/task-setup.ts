import { assign, enqueueActions, sendParent, setup } from 'xstate';
import type { DoneActorEvent, ErrorActorEvent, EventObject } from 'xstate';
import type {
  ChildEnded,
  ChildResting,
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
  TeammateRested,
  WorkRested,
  WorkWoke,
} from '../../core/events.js';
import type { TaskOutcome, TaskStatus, WorkOutcome } from '../../core/task-types.js';
import { lazyLogic } from '../lazy-logic.js';
import { notProvided } from '../not-provided.js';
import { outcomeOf } from './outcome-of.js';
import { requestsWithout, type OpenRequests } from '../approval/relay.js';
import { countIn, countOut, countRest, holdingOf, roomyOf, type Supervised } from './supervised.js';
import { supervisorMachine } from './supervisor.js';
import {
  changeChild,
  findChild,
  holdsItsAgent,
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
  | ChildResting
  | WorkRested
  | WorkWoke
  | WorkSend;

/** A message for the work of a task: whoever sends it knows the task only. A task that ends passes nothing on. */
export type WorkSend = { readonly type: 'work.send'; readonly event: EventObject };

/** What a task tells its parent; a child's end is xstate's own done event. */
export type TaskMessage = PermissionRequest | PermissionCancel | TaskBackgrounded | ChildResting;

/** More than these go to supervisors. */
const MOST_CHILDREN = 25;

export type TaskContext = {
  readonly input: TaskInput;
  readonly isBackgrounded: boolean;
  /** Set once: the first reason to end wins. */
  readonly outcome: TaskOutcome | undefined;
  /** Live child tasks of its own. */
  readonly children: readonly TaskChild[];
  /** Those who have more of them, by local id. */
  readonly supervisors: Readonly<Record<string, Supervised>>;
  readonly asks: OpenRequests;
  /** Its work has nothing to do now, and was sent nothing since. */
  readonly workRests: boolean;
  /** How the work's newest turn ended, until its owner is told that. */
  readonly rest: WorkOutcome | undefined;
  /** Its owner was told that nothing is done here or below. */
  readonly isResting: boolean;
};

/** The words of the task's machine: its children, the effects that the composition root provides, and its guards. */
export const taskSetup = setup({
  types: {
    input: {} as TaskInput,
    context: {} as TaskContext,
    events: {} as TaskEvent,
    output: {} as TaskOutcome,
  },
  actors: {
    work: notProvided('work'),
    local_agent: notProvided('local_agent'),
    local_bash: notProvided('local_bash'),
    in_process_teammate: notProvided('in_process_teammate'),
    local_workflow: notProvided('local_workflow'),
    local_tool: notProvided('local_tool'),
    supervisor: lazyLogic(() => supervisorMachine),
  },
  actions: {
    tellParent: sendParent((_, message: TaskMessage) => message),
    /** Writes down the status, and that the task went to the background or rests: this is where the world learns of it. */
    record: (_, _params: { status: TaskStatus }) => {},
    /** Tells whoever asked for a child that there will be none. */
    refuse: (_, _params: TaskRefused) => {},
    /** Ends every process that the task left behind, then sends `task.swept`. */
    sweep: (_, _params: { id: string }) => {},
    /** Sends `task.force` when the grace of the subtree is over. */
    armDeadline: (_, _params: { id: string }) => {},
    /** Starts the child, and tells the work how many now keep it from being done. */
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
    /** One child too many: a supervisor starts it. */
    passChildOn: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'task.spawn') return;
      const id = roomyOf(context.supervisors, MOST_CHILDREN);
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
            : { supervisors, asks: requestsWithout(context.asks, event.from) },
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
    /** A background child ended: its owner is notified; then it may no longer be held back. */
    tellWorkOfEnd: enqueueActions(({ context, event, enqueue }) => {
      const end = endOf(context, event);
      if (end === undefined) return;
      const { id, kind, isBackgrounded, outcome, left } = end;
      if (isBackgrounded) {
        if (context.workRests) enqueue.assign({ workRests: false });
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
    rememberRest: assign(({ context: { children, supervisors }, event }) => {
      if (event.type !== 'child.resting') return {};
      const { id, from, isResting } = event;
      if (from !== undefined) return { supervisors: countRest(supervisors, from, isResting) };
      return { children: changeChild(children, id, { isResting }) };
    }),
    /** What a teammate came to is told first; then it may no longer be held back. */
    tellWorkOfRest: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'child.resting') return;
      const { id, rest } = event;
      if (rest !== undefined) {
        if (context.workRests) enqueue.assign({ workRests: false });
        enqueue.sendTo('work', { type: 'teammate.rested', id, rest } satisfies TeammateRested);
      }
      enqueue.sendTo('work', {
        type: 'children.changed',
        holding: holdingOf(context),
      } satisfies ChildrenChanged);
    }),
    /** Its end is now told by a notification. */
    rememberBackgrounded: assign({
      children: ({ context, event }) => {
        if (event.type !== 'task.backgrounded') return context.children;
        return changeChild(context.children, event.id, { isBackgrounded: true });
      },
    }),
    killChildren: enqueueActions(({ context, enqueue }) => {
      for (const id of childActors(context))
        enqueue.sendTo(id, { type: 'task.kill', reason: 'owner ended' });
    }),
    forceChildren: enqueueActions(({ context, enqueue }) => {
      for (const id of childActors(context)) enqueue.sendTo(id, { type: 'task.force' });
    }),
    settleAs: assign({
      outcome: ({ context }, outcome: TaskOutcome) => context.outcome ?? outcome,
    }),
  },
  guards: {
    isCrowded: ({ context }) => context.children.length >= MOST_CHILDREN,
    isChild: ({ context, event }) =>
      'actorId' in event && findChild(context.children, event.actorId) !== undefined,
    knowsSupervisor: ({ context, event }) =>
      event.type === 'child.ended' && event.from in context.supervisors,
    knowsResting: ({ context: { children, supervisors }, event }) =>
      event.type === 'child.resting' &&
      (event.from === undefined
        ? findChild(children, event.id) !== undefined
        : event.from in supervisors),
    knowsChild: ({ context, event }) =>
      event.type === 'task.backgrounded' && findChild(context.children, event.id) !== undefined,
    /** Somebody waits for it in the foreground, and it has an owner who can be told of its end instead. */
    isWaitedFor: ({ context }) => !context.isBackgrounded && context.input.kind !== 'session',
    hasNoChildren: ({ context }) => !hasChildren(context),
    endsAs: ({ context }, status: TaskOutcome['status']) => context.outcome?.status === status,
  },
});

/**
 * A task whose work has nothing to do rests while none of its children works: then its own owner does not wait for it.
 * The owner is told of each change, upwards all the way, in the step that brought it.
 */
export const tellOfRest = taskSetup.enqueueActions(({ context, enqueue }) => {
  const { input, workRests, rest } = context;
  const isResting = workRests && holdingOf(context) === 0;
  if (isResting === context.isResting) return;
  enqueue.assign(isResting ? { isResting, rest: undefined } : { isResting });
  enqueue({ type: 'record', params: { status: 'running' } });
  const news = isResting && rest !== undefined ? { rest } : {};
  enqueue({
    type: 'tellParent',
    params: { type: 'child.resting', id: input.id, isResting, ...news },
  });
});

export function hasChildren({ children, supervisors }: TaskContext): boolean {
  return children.length + Object.keys(supervisors).length > 0;
}

/** Local ids of the actors below: children of its own, and supervisors. */
function childActors({ children, supervisors }: TaskContext): readonly string[] {
  return [...children.map(({ id }) => id), ...Object.keys(supervisors)];
}

/** The child that an event tells the end of, and what is left without it. */
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
