import { assign, enqueueActions, sendTo } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type { TaskKill } from '../../core/events.js';
import type { TaskOutcome, WorkOutcome } from '../../core/task-types.js';
import { relayOf, requestsWithout, withdrawalsOf } from '../approval/relay.js';
import {
  hasChildren,
  taskSetup,
  tellIdleChange,
  type TaskContext,
  type TaskEvent,
} from './task-setup.js';

/** A child or work that crashed could not withdraw its permission requests. */
const withdrawOfGone = taskSetup.enqueueActions(({ context, event, enqueue }) => {
  if (!('actorId' in event)) return;
  for (const withdrawal of withdrawalsOf(context.openRequests, event.actorId))
    enqueue({ type: 'tellParent', params: withdrawal });
  enqueue.assign({ openRequests: requestsWithout(context.openRequests, event.actorId) });
});

const CHILD_GONE = ['tellWorkOfEnd', withdrawOfGone, 'forgetChild', tellIdleChange] as const;

const relay = relayOf<TaskContext, TaskEvent>({
  tell: 'tellParent',
  from: ({ input }) => input.id,
  hop: ({ input }) => input.id,
});

/** Move the task to the background. */
const toBackground = (status: 'pending' | 'running') =>
  taskSetup.createStateConfig({
    on: {
      'task.background': {
        guard: 'isWaitedFor',
        actions: [
          assign({ isBackgrounded: true }),
          { type: 'record', params: { status } },
          {
            type: 'tellParent',
            params: ({ context }) => ({ type: 'task.backgrounded' as const, id: context.input.id }),
          },
        ],
      },
    },
  });

const refuseAs = (why: string) =>
  taskSetup.createStateConfig({
    on: {
      'task.spawn': {
        actions: {
          type: 'refuse',
          params: ({ context, event }) => ({
            type: 'task.refused' as const,
            id: event.task.id,
            reason: `the task ${context.input.id} ${why}`,
          }),
        },
      },
    },
  });

/**
 * pending → running → completed | failed | killed: the only lifecycle in the system. The name of the state is the
 * task's status. A kill has two phases. Inside `running` the work and the children are asked to stop and waited for.
 * Then `settling` waits until no child and no process is left. A task that moves to the background tells its parent
 * before its end or not at all: either the waiting tool call gets the result, or the parent gets a notification, never
 * both. The composition root provides `work`, the kinds of child and the effects.
 */
export const taskMachine = taskSetup.createMachine({
  id: 'task',
  context: ({ input }) => ({
    input,
    isBackgrounded: input.isBackgrounded,
    outcome: undefined,
    children: [],
    supervisors: {},
    openRequests: {},
    isWorkIdle: false,
    turnOutcome: undefined,
    isIdle: false,
  }),
  initial: 'pending',
  states: {
    pending: {
      entry: { type: 'record', params: { status: 'pending' } },
      on: {
        'task.start': 'running',
        ...toBackground('pending').on,
        ...refuseAs('has not started').on,
        'task.kill': {
          target: 'killed',
          actions: {
            type: 'settleAs',
            params: ({ event }) => endBy(event),
          },
        },
      },
    },
    running: {
      entry: { type: 'record', params: { status: 'running' } },
      initial: 'active',
      invoke: {
        id: 'work',
        src: 'work',
        input: ({ context: { input, isBackgrounded } }: { context: TaskContext }) => ({
          ...input,
          isBackgrounded,
        }),
        onDone: {
          target: '.settling',
          actions: { type: 'settleAs', params: ({ event }) => event.output as WorkOutcome },
        },
        onError: {
          target: '.settling',
          actions: [
            withdrawOfGone,
            {
              type: 'settleAs',
              params: ({ event }) => ({
                status: 'failed' as const,
                failure: toFailure(event.error),
              }),
            },
          ],
        },
      },
      on: {
        'xstate.done.actor.*': { guard: 'isChild', actions: [withdrawOfGone, 'forgetChild'] },
        'xstate.error.actor.*': { guard: 'isChild', actions: [withdrawOfGone, 'forgetChild'] },
        'child.ended': { guard: 'knowsSupervisor', actions: 'forgetChild' },
        ...refuseAs('is ending').on,
        'task.force': { actions: ['forceChildren', sendTo('work', { type: 'work.force' })] },
        'task.backgrounded': { guard: 'knowsChild', actions: 'rememberBackgrounded' },
        'child.idle': { guard: 'knowsSender', actions: 'rememberIdle' },
        'work.idle': {
          actions: [
            assign({
              isWorkIdle: true,
              turnOutcome: ({ context, event }) => event.turnOutcome ?? context.turnOutcome,
            }),
            tellIdleChange,
          ],
        },
        'work.woke': { actions: [assign({ isWorkIdle: false }), tellIdleChange] },
        ...relay,
      },
      states: {
        active: {
          on: {
            ...toBackground('running').on,
            'task.kill': {
              target: 'stopping',
              actions: enqueueActions(({ context, event, enqueue }) => {
                enqueue({ type: 'settleAs', params: endBy(event) });
                for (const withdrawal of withdrawalsOf(context.openRequests))
                  enqueue({ type: 'tellParent', params: withdrawal });
                enqueue.assign({ openRequests: {} });
                enqueue('killChildren');
                enqueue.sendTo('work', { type: 'work.stop', reason: event.reason });
                enqueue({ type: 'armDeadline', params: { id: context.input.id } });
              }),
            },
            'work.send': { actions: sendTo('work', ({ event }) => event.event) },
            'task.spawn': [
              { guard: 'isCrowded', actions: ['passChildOn', tellIdleChange] },
              { actions: ['adoptChild', tellIdleChange] },
            ],
            'xstate.done.actor.*': { guard: 'isChild', actions: CHILD_GONE },
            'xstate.error.actor.*': { guard: 'isChild', actions: CHILD_GONE },
            'child.ended': { guard: 'knowsSupervisor', actions: CHILD_GONE },
            'child.idle': {
              guard: 'knowsSender',
              actions: ['rememberIdle', 'tellWorkOfIdle', tellIdleChange],
            },
          },
        },
        /** A transition out of `running` would abort work and children half-done. */
        stopping: {},
        /** The work has settled. Its children end before the task does. */
        settling: {
          initial: 'waiting',
          on: { 'task.force': { actions: 'forceChildren' } }, // there is no work to force
          entry: enqueueActions(({ context, enqueue }) => {
            if (!hasChildren(context)) return;
            enqueue('killChildren');
            enqueue({ type: 'armDeadline', params: { id: context.input.id } });
          }),
          states: {
            waiting: { always: { guard: 'hasNoChildren', target: 'sweeping' } },
            sweeping: {
              entry: { type: 'sweep', params: ({ context }) => ({ id: context.input.id }) },
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
    completed: { type: 'final', entry: { type: 'record', params: { status: 'completed' } } },
    failed: { type: 'final', entry: { type: 'record', params: { status: 'failed' } } },
    killed: { type: 'final', entry: { type: 'record', params: { status: 'killed' } } },
  },
  output: ({ context }) => context.outcome as TaskOutcome, // set on the way into every final state
});

function endBy({ reason, failure }: Omit<TaskKill, 'type'>): TaskOutcome {
  return failure === undefined ? { status: 'killed', reason } : { status: 'failed', failure };
}
