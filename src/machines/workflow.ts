import { enqueueActions, setup } from 'xstate';
import type { Failure } from '../core/failure.js';
import type { TaskId } from '../core/ids.js';
import type { WorkOutcome } from '../core/task-types.js';
import { needsOf } from '../core/workflow-expressions.js';
import { FORCED } from './from-work.js';
import {
  abandon,
  advance,
  afterEnd,
  afterRest,
  afterTimeout,
  decideOrFail,
  runningStep,
  windUp,
} from './workflow-plan.js';
import type {
  Attempt,
  StepState,
  WorkflowContext,
  WorkflowEffect,
  WorkflowEvent,
  WorkflowInput,
} from './workflow-types.js';

const STOPPED: Failure = { code: 'STOPPED', message: 'It was told to stop before it was done.' };

/**
 * A scripted sequence: each step pending → running → done | failed, or skipped. It is the work of a task: what its steps
 * do are child tasks of that task. It decides what begins, again, and not at all; told to stop, it begins nothing more,
 * ends what runs, waits, and settles.
 */
export const workflowMachine = setup({
  types: {
    input: {} as WorkflowInput,
    context: {} as WorkflowContext,
    events: {} as WorkflowEvent,
    output: {} as WorkOutcome,
  },
  actions: {
    /** Does what was decided, in this order. */
    perform: (_, _params: { taskId: TaskId; effects: readonly WorkflowEffect[] }) => {},
    /** Nothing of it may run on, and nothing is waited for. */
    tearOff: (_, _params: { taskId: TaskId }) => {},
  },
  guards: {
    /** It has an outcome, and no try runs. */
    isOver: ({ context: { outcome, steps } }) =>
      outcome !== undefined && !Object.values(steps).some(isBusy),
    isRunning: ({ context }, place: Attempt) => isAt(context, place, 'running'),
    isResting: ({ context }, place: Attempt) => isAt(context, place, 'resting'),
  },
}).createMachine({
  id: 'workflow',
  context: ({ input }) => {
    const tasks = Object.entries(input.definition.tasks);
    return {
      ...input,
      needs: Object.fromEntries(tasks.map(([name, task]) => [name, needsOf(task)])),
      steps: Object.fromEntries(tasks.map(([name]) => [name, { status: 'pending' as const }])),
      outcome: undefined,
    };
  },
  initial: 'living',
  states: {
    living: {
      initial: 'running',
      always: { guard: 'isOver', target: 'done' },
      on: {
        'attempt.ended': {
          guard: { type: 'isRunning', params: ({ event }) => event },
          actions: enqueueActions(({ context, event, enqueue }) => {
            const { context: next, effects } = decideOrFail(
              context,
              (now) => afterEnd(now, event),
              event,
            );
            enqueue.assign(next);
            enqueue({ type: 'perform', params: { taskId: context.taskId, effects } });
          }),
        },
        'work.force': {
          target: 'done',
          actions: enqueueActions(({ context, enqueue }) => {
            const { context: next, effects } = abandon(context, FORCED);
            enqueue.assign(next);
            enqueue({ type: 'perform', params: { taskId: context.taskId, effects } });
          }),
        },
      },
      states: {
        running: {
          entry: enqueueActions(({ context, enqueue }) => {
            const { context: next, effects } = decideOrFail(context, advance);
            enqueue.assign(next);
            enqueue({ type: 'perform', params: { taskId: context.taskId, effects } });
          }),
          on: {
            'attempt.timedOut': {
              guard: { type: 'isRunning', params: ({ event }) => event },
              actions: enqueueActions(({ context, event, enqueue }) => {
                const { context: next, effects } = afterTimeout(context, event);
                enqueue.assign(next);
                enqueue({ type: 'perform', params: { taskId: context.taskId, effects } });
              }),
            },
            'attempt.due': {
              guard: { type: 'isResting', params: ({ event }) => event },
              actions: enqueueActions(({ context, event, enqueue }) => {
                const { context: next, effects } = decideOrFail(context, (now) =>
                  afterRest(now, event),
                );
                enqueue.assign(next);
                enqueue({ type: 'perform', params: { taskId: context.taskId, effects } });
              }),
            },
            'work.stop': 'stopping',
          },
        },
        /** Told to stop: its tries are told to end, and waited for. */
        stopping: {
          entry: enqueueActions(({ context, event, enqueue }) => {
            const reason = event.type === 'work.stop' ? event.reason : STOPPED.message;
            const outcome = { status: 'failed', failure: STOPPED } as const;
            const { context: next, effects } = windUp(context, outcome, reason);
            enqueue.assign(next);
            enqueue({ type: 'perform', params: { taskId: context.taskId, effects } });
          }),
        },
      },
    },
    done: {
      type: 'final',
      entry: { type: 'tearOff', params: ({ context: { taskId } }) => ({ taskId }) },
    },
  },
  output: ({ context }) => context.outcome as WorkOutcome, // set on every way into the final state
});

function isBusy(state: StepState): boolean {
  return state.status === 'running' && state.entries.some(({ status }) => status === 'running');
}

/** Whether this very try is expected: a late or a doubled event finds none. */
function isAt(
  context: WorkflowContext,
  { step, entry, attempt }: Attempt,
  status: 'running' | 'resting',
): boolean {
  const found = runningStep(context, step)?.entries[entry];
  return found?.status === status && found.attempt === attempt;
}
