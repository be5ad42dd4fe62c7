import { assign, enqueueActions, sendParent, sendTo, setup } from 'xstate';
import type { DoneActorEvent, ErrorActorEvent } from 'xstate';
import type {
  ChildrenChanged,
  PermissionCancel,
  PermissionDecided,
  PermissionRequest,
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
import type { RequestId, TaskId } from '../core/ids.js';
import type { TaskKind, TaskOutcome, WorkOutcome } from '../core/task-types.js';
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
  | TaskSwept
  | TaskSpawn
  | PermissionRequest
  | PermissionDecided
  | PermissionCancel;

/** What a task tells its parent; a child's end is xstate's own done event. */
export type TaskMessage = PermissionRequest | PermissionCancel;

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

/**
 * pending → running → completed | failed | killed: the only lifecycle in the system. The state's name is the task's
 * status. A kill has two phases: inside `running` the work and the children are told to stop and waited for; then
 * `settling` waits until no child and no process is left. The composition root provides `work`, the kinds of child and
 * the effects.
 */
export const taskMachine = setup({
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
    knowsAsk: ({ context, event }) => 'requestId' in event && event.requestId in context.asks,
    hasNoChildren: ({ context }) => Object.keys(context.children).length === 0,
    endsAs: ({ context }, status: TaskOutcome['status']) => context.outcome?.status === status,
  },
}).createMachine({
  id: 'task',
  context: ({ input }) => ({
    ...input,
    pausedAt: undefined,
    totalPausedMs: 0,
    outcome: undefined,
    children: {},
    asks: {},
  }),
  initial: 'pending',
  states: {
    pending: {
      on: {
        'task.start': 'running',
        'task.kill': {
          target: 'killed',
          actions: {
            type: 'settleAs',
            params: ({ event }) => ({ status: 'killed' as const, reason: event.reason }),
          },
        },
      },
    },
    running: {
      initial: 'active',
      invoke: {
        id: 'work',
        src: 'work',
        input: ({ context }: { context: TaskContext }) => context,
        onDone: {
          target: '.settling',
          actions: { type: 'settleAs', params: ({ event }) => event.output as WorkOutcome },
        },
        onError: {
          target: '.settling',
          actions: {
            type: 'settleAs',
            params: ({ event }) => ({ status: 'failed' as const, failure: toFailure(event.error) }),
          },
        },
      },
      on: {
        'xstate.done.actor.*': { guard: 'isChild', actions: 'forgetChild' },
        'xstate.error.actor.*': { guard: 'isChild', actions: 'forgetChild' },
        'task.spawn': {
          actions: {
            type: 'refuse',
            params: ({ context, event }) => ({
              type: 'task.refused' as const,
              id: event.task.id,
              reason: `the task ${context.id} is ending`,
            }),
          },
        },
        'task.force': { actions: ['forceChildren', sendTo('work', { type: 'work.force' })] },
        'permission.request': {
          actions: [
            assign({
              asks: ({ context, event }) => ({ ...context.asks, [event.requestId]: event.from }),
            }),
            {
              type: 'tellParent',
              params: ({ context, event }) => ({
                ...event,
                from: context.id,
                path: [
                  ...event.path,
                  { actor: context.id, verdict: 'passed on' as const, at: event.at },
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
      },
      states: {
        active: {
          on: {
            'task.kill': 'stopping',
            'task.pause': {
              target: 'paused',
              actions: assign({ pausedAt: ({ event }) => event.at }),
            },
            'task.spawn': { actions: 'adoptChild' },
            'xstate.done.actor.*': { guard: 'isChild', actions: ['tellWorkOfEnd', 'forgetChild'] },
            'xstate.error.actor.*': { guard: 'isChild', actions: ['tellWorkOfEnd', 'forgetChild'] },
          },
        },
        /** The line to the work is down; the time until it is back does not count. */
        paused: {
          on: {
            'task.kill': 'stopping',
            'task.spawn': { actions: 'adoptChild' },
            'xstate.done.actor.*': { guard: 'isChild', actions: ['tellWorkOfEnd', 'forgetChild'] },
            'xstate.error.actor.*': { guard: 'isChild', actions: ['tellWorkOfEnd', 'forgetChild'] },
            'task.resume': {
              target: 'active',
              actions: assign({
                pausedAt: undefined,
                totalPausedMs: ({ context, event }) =>
                  context.totalPausedMs + event.at - (context.pausedAt ?? event.at),
              }),
            },
          },
        },
        /** Told to end: leaving `running` now would tear work and children off half-done. */
        stopping: {
          entry: enqueueActions(({ context, event, enqueue }) => {
            const reason = event.type === 'task.kill' ? event.reason : 'unknown';
            enqueue({ type: 'settleAs', params: { status: 'killed', reason } });
            const requestIds = Object.keys(context.asks) as RequestId[]; // filed by their ids
            for (const requestId of requestIds)
              enqueue({ type: 'tellParent', params: { type: 'permission.cancel', requestId } });
            enqueue.assign({ asks: {} });
            enqueue('killChildren');
            enqueue.sendTo('work', { type: 'work.stop', reason });
            enqueue({ type: 'armDeadline', params: { id: context.id } });
          }),
        },
        /** The work has settled; what it left running ends before the task does. */
        settling: {
          initial: 'waiting',
          on: { 'task.force': { actions: 'forceChildren' } }, // there is no work to force
          entry: enqueueActions(({ context, enqueue }) => {
            if (Object.keys(context.children).length === 0) return;
            enqueue('killChildren');
            enqueue({ type: 'armDeadline', params: { id: context.id } });
          }),
          states: {
            waiting: { always: { guard: 'hasNoChildren', target: 'sweeping' } },
            sweeping: {
              entry: { type: 'sweep', params: ({ context }) => ({ id: context.id }) },
              on: {
                'task.swept': (['completed', 'failed', 'killed'] as const).map((status) => ({
                  guard: { type: 'endsAs' as const, params: status },
                  target: `#task.${status}` as const,
                })),
              },
            },
          },
        },
      },
    },
    completed: { type: 'final' },
    failed: { type: 'final' },
    killed: { type: 'final' },
  },
  output: ({ context }) => context.outcome as TaskOutcome, // set on the way into every final state
});
