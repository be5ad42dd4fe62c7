import type { Failure } from '../core/failure.js';
import type { WorkOutcome } from '../core/task-types.js';
import { readCondition, tasksRead } from '../core/workflow-expressions.js';
import { holds, scopeOf } from './workflow-scope.js';
import type { StepState, WorkflowContext } from './workflow-types.js';

/** What is said of tasks that are not needed any more. */
export const finishEarly = 'the workflow has finished without it';

/**
 * The outcome of a workflow as soon as it has one: with `finish` when that holds, otherwise when all tasks have ended.
 * A `finish` that cannot be told yet does not hold.
 */
export function finishOf(context: WorkflowContext): WorkOutcome | undefined {
  const { definition, steps } = context;
  const { finish } = definition;
  const isOver = Object.values(steps).every(hasEnded);
  const failed = Object.entries(steps).flatMap(([name, state]) =>
    state.status === 'failed' ? [{ name, failure: state.failure }] : [],
  );
  const [first] = failed;
  if (finish !== undefined) {
    const isFinished = holds(
      finish,
      scopeOf(context, tasksRead(readCondition(finish, []).expressions)),
    );
    if ('value' in isFinished && isFinished.value)
      return { status: 'completed', result: outputs(steps) };
    if (!isOver) return undefined;
    const why = 'failure' in isFinished ? ` ${isFinished.failure.message}` : '';
    const also = first === undefined ? '' : ` "${first.name}" failed: ${inShort(first.failure)}`;
    const message = `All tasks have ended, and "finish" does not hold: ${finish}.${why}${also}`;
    return { status: 'failed', failure: { code: 'WORKFLOW_NOT_FINISHED', message } };
  }
  if (!isOver) return undefined;
  if (first === undefined) return { status: 'completed', result: outputs(steps) };
  const message = `${failed.length} of ${Object.keys(steps).length} tasks failed. "${first.name}": ${inShort(first.failure)}`;
  const details = { failed: failed.map(({ name }) => name) };
  return { status: 'failed', failure: { code: 'WORKFLOW_FAILED', message, details } };
}

/** The whole of it stands with its task. */
function inShort({ message }: Failure): string {
  const [line = ''] = message.split('\n', 1);
  const characters = [...line];
  if (characters.length > MOST_CHARS) return `${characters.slice(0, MOST_CHARS).join('')}…`;
  return line === message ? line : `${line} …`;
}

const MOST_CHARS = 200;

export function hasEnded({ status }: StepState): boolean {
  return status === 'done' || status === 'failed' || status === 'skipped';
}

/** What the tasks that were done have put out, by name. */
function outputs(steps: WorkflowContext['steps']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(steps).flatMap(([name, state]) =>
      state.status === 'done' ? [[name, state.output]] : [],
    ),
  );
}
