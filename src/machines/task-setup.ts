import { assign, enqueueActions, sendParent, setup } from 'xstate';
import type { DoneActorEvent, ErrorActorEvent } from 'xstate';
import type {
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
  TaskPause,
  TaskRefused,
  TaskResume,
  TaskSpawn,
  TaskStart,
  TaskSwept,
} from '../core/events.js';
import { toFailure } from '../core/errors.js';
import type { TaskId } from '../core/ids.js';
import type { TaskKind, TaskOutcome } from '../core/task-types.js';
import { notProvided } from './not-provided.js';
import { without } from './records.js';

export type TaskEvent =
  | DoneActorEvent
  | ErrorActorEvent
  | TaskStart
  | TaskKill
  | TaskPause
  | TaskResume
  | TaskForce
  | TaskBackground
  | TaskBackgrounded
  | TaskSwept
  | TaskSpawn
  | PermissionRequest
  | PermissionDecided
  | PermissionCancel;

/** What a task tells its parent; a child's end is xstate's own done event. */
export type TaskMessage = PermissionRequest | PermissionCancel | TaskBackgrounded;

export type TaskChild = { readonly kind: TaskKind; readonly isBackgrounded: boolean };

export type TaskContext = TaskInput & {
  readonly pausedAt: number | undefined;
  readonly totalPausedMs: number;
  /** Set once: the first reason to end wins. */
  readonly outcome: TaskOutcome | undefined;
  /** Live child tasks, by id. */
  readonly children: Readonly<Record<string, TaskChild>>;
  /** Open asks: request id → local id of the child that it came from. The path is for people and the audit. */
  readonly asks: Readonly<Record<string, string>>;
};

/** Kinds that keep an agent from being done. Shells and monitors do not: they end with it. */
const HOLDING: ReadonlySet<TaskKind> = new Set<TaskKind>([
  'local_agent',
  'remote_agent',
  'in_process_teammate',
  'local_workflow',
]);

export function countHolding(children: TaskContext['children']): number {
  let count = 0;
  for (const id in children) if (HOLDING.has((children[id] as TaskChild).kind)) count += 1;
  return count;
}

type Spawnable = 'local_agent' | 'local_bash';

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
  },
  actions: {
    tellParent: sendParent((_, message: TaskMessage) => message),
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
      const children = { ...context.children, [id]: { kind, isBackgrounded } };
      enqueue.assign({ children });
      if (HOLDING.has(kind))
        enqueue.sendTo('work', { type: 'children.changed', holding: countHolding(children) });
      enqueue.sendTo(id, { type: 'task.start' });
    }),
    forgetChild: enqueueActions(({ context, event, enqueue }) => {
      if (!('actorId' in event)) return;
      const { actorId } = event;
      enqueue.assign({
        children: without(context.children, actorId),
        asks: Object.fromEntries(
          Object.entries(context.asks).filter(([, from]) => from !== actorId),
        ),
      });
      enqueue.stopChild(actorId);
    }),
    /** A background child ended: its owner is notified; then it may no longer be held back. */
    tellWorkOfEnd: enqueueActions(({ context, event, enqueue }) => {
      if (!('actorId' in event)) return;
      const outcome: TaskOutcome =
        'output' in event
          ? (event.output as TaskOutcome) // a child is a task
          : { status: 'failed', failure: toFailure(event.error) };
      const child = context.children[event.actorId] as TaskChild; // guarded by `isChild`
      if (child.isBackgrounded)
        enqueue.sendTo('work', {
          type: 'task.notification',
          id: event.actorId as TaskId, // children are filed under their task ids
          kind: child.kind,
          outcome,
        } satisfies TaskNotification);
      if (HOLDING.has(child.kind))
        enqueue.sendTo('work', {
          type: 'children.changed',
          holding: countHolding(without(context.children, event.actorId)),
        } satisfies ChildrenChanged);
    }),
    /** Its end is now told by a notification. */
    rememberBackgrounded: assign({
      children: ({ context, event }) => {
        if (event.type !== 'task.backgrounded') return context.children;
        const child = context.children[event.id] as TaskChild; // guarded by `knowsChild`
        return { ...context.children, [event.id]: { ...child, isBackgrounded: true } };
      },
    }),
    killChildren: enqueueActions(({ context, enqueue }) => {
      for (const id of Object.keys(context.children))
        enqueue.sendTo(id, { type: 'task.kill', reason: 'owner ended' });
    }),
    forceChildren: enqueueActions(({ context, enqueue }) => {
      for (const id of Object.keys(context.children)) enqueue.sendTo(id, { type: 'task.force' });
    }),
    settleAs: assign({
      outcome: ({ context }, outcome: TaskOutcome) => context.outcome ?? outcome,
    }),
  },
  guards: {
    isChild: ({ context, event }) => 'actorId' in event && event.actorId in context.children,
    knowsChild: ({ context, event }) =>
      event.type === 'task.backgrounded' && event.id in context.children,
    /** Somebody waits for it in the foreground, and it has an owner who can be told of its end instead. */
    isWaitedFor: ({ context }) => !context.isBackgrounded && context.kind !== 'session',
    knowsAsk: ({ context, event }) => 'requestId' in event && event.requestId in context.asks,
    hasNoChildren: ({ context }) => Object.keys(context.children).length === 0,
    endsAs: ({ context }, status: TaskOutcome['status']) => context.outcome?.status === status,
  },
});
