import { setup } from 'xstate';
import type { Failure } from '../../core/failure.js';
import type { TaskId } from '../../core/ids.js';
import type { WorkOutcome } from '../../core/task-types.js';
import { needsOf } from '../../workflow/workflow-expressions.js';
import { FORCED } from '../from-work.js';
import {
  abandon,
  advance,
  afterEnd,
  afterRest,
  afterTimeout,
  decideOrFail,
  runningStep,
  windUp,
  type Plan,
} from '../../workflow/plan/workflow-plan.js';
import type {
  Attempt,
  StepState,
  WorkflowContext,
  WorkflowEffect,
  WorkflowEvent,
  WorkflowInput,
} from '../../workflow/plan/workflow-types.js';

const STOPPED: Failure = {
  code: 'STOPPED',
  message: 'The workflow was stopped before it was done.',
};

type Ended = Extract<WorkflowEvent, { type: 'attempt.ended' }>;
type Due = Extract<WorkflowEvent, { type: 'attempt.due' }>;

const workflowSetup = setup({
  types: {
    input: {} as WorkflowInput,
    context: {} as WorkflowContext,
    events: {} as WorkflowEvent,
    output: {} as WorkOutcome,
  },
  actions: {
    /** Performs the planned effects in this order. */
    perform: (_, _params: { taskId: TaskId; effects: readonly WorkflowEffect[] }) => {},
    /** Aborts all steps at once, without waiting. */
    tearOff: (_, _params: { taskId: TaskId }) => {},
  },
  guards: {
    /** The workflow has an outcome, and no attempt runs. */
    isOver: ({ context: { outcome, steps } }) =>
      outcome !== undefined && !Object.values(steps).some(isBusy),
    isRunning: ({ context }, place: Attempt) => isAt(context, place, 'running'),
    isDelayed: ({ context }, place: Attempt) => isAt(context, place, 'delayed'),
  },
});

/** Take over the plan for an event, and perform its effects. */
function follow<E extends WorkflowEvent>(decide: (context: WorkflowContext, event: E) => Plan) {
  return workflowSetup.enqueueActions(({ context, event, enqueue }) => {
    const { context: next, effects } = decide(context, event as E); // guaranteed by the transition
    enqueue.assign(next);
    enqueue({ type: 'perform', params: { taskId: context.taskId, effects } });
  });
}

/**
 * A scripted sequence: each step is pending → running → done | failed, or skipped. The workflow is the work of a task,
 * and its steps are child tasks of that task. The machine decides which step begins, is tried again or is skipped. On
 * `work.stop` it begins nothing more, ends the running steps, waits for them, and settles.
 */
export const workflowMachine = workflowSetup.createMachine({
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
          actions: follow((context, event: Ended) =>
            decideOrFail(context, (now) => afterEnd(now, event), event),
          ),
        },
        'work.force': {
          target: 'done',
          actions: follow((context) => abandon(context, FORCED)),
        },
      },
      states: {
        running: {
          entry: follow((context) => decideOrFail(context, advance)),
          on: {
            'attempt.timedOut': {
              guard: { type: 'isRunning', params: ({ event }) => event },
              actions: follow(afterTimeout),
            },
            'attempt.due': {
              guard: { type: 'isDelayed', params: ({ event }) => event },
              actions: follow((context, event: Due) =>
                decideOrFail(context, (now) => afterRest(now, event)),
              ),
            },
            'work.stop': 'stopping',
          },
        },
        /** The running attempts are asked to stop and waited for. */
        stopping: {
          entry: follow((context, event) => {
            const reason = event.type === 'work.stop' ? event.reason : STOPPED.message;
            return windUp(context, { status: 'failed', failure: STOPPED }, reason);
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

/** Whether this very attempt is expected: a late or repeated event finds none. */
function isAt(
  context: WorkflowContext,
  { step, entry, attempt }: Attempt,
  status: 'running' | 'delayed',
): boolean {
  const found = runningStep(context, step)?.entries[entry];
  return found?.status === status && found.attempt === attempt;
}
