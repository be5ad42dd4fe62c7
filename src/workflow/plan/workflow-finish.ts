import type { Failure } from '../../core/failure.js';
import type { WorkOutcome } from '../../core/task-types.js';
import { readCondition, tasksRead } from '../workflow-expressions.js';
import { holds, scopeOf } from './workflow-scope.js';
import type { StepState, WorkflowContext } from './workflow-types.js';

type Steps = WorkflowContext['steps'];

/** The reason of steps that are not needed any more. */
export const finishEarly = 'the workflow has finished without it';

/**
 * The outcome of a workflow as soon as it has one: with `finish` when a step has ended and the condition holds,
 * otherwise when all steps have ended. A `finish` that cannot be evaluated yet does not hold.
 */
export function finishOf(context: WorkflowContext): WorkOutcome | undefined {
  const { definition, steps } = context;
  const { finish } = definition;
  const states = Object.values(steps);
  if (finish === undefined) return states.every(hasEnded) ? outcomeOf(steps) : undefined;
  if (!states.some(hasEnded)) return undefined;
  const scope = scopeOf(context, tasksRead(readCondition(finish, []).expressions));
  const isFinished = holds(finish, scope);
  if ('value' in isFinished && isFinished.value)
    return { status: 'completed', result: outputsOf(steps) };
  if (!states.every(hasEnded)) return undefined;
  const why = 'failure' in isFinished ? ` ${isFinished.failure.message}` : '';
  const [first] = failuresIn(steps);
  const also = first === undefined ? '' : ` "${first.name}" failed: ${inShort(first.failure)}`;
  const message = `All tasks have ended, and "finish" does not hold: ${finish}.${why}${also}`;
  return { status: 'failed', failure: { code: 'WORKFLOW_NOT_FINISHED', message } };
}

/** All steps have ended, and there is no `finish`. */
function outcomeOf(steps: Steps): WorkOutcome {
  const failed = failuresIn(steps);
  const [first] = failed;
  if (first === undefined) return { status: 'completed', result: outputsOf(steps) };
  const message = `${failed.length} of ${Object.keys(steps).length} tasks failed. "${first.name}": ${inShort(first.failure)}`;
  const details = { failed: failed.map(({ name }) => name) };
  return { status: 'failed', failure: { code: 'WORKFLOW_FAILED', message, details } };
}

function failuresIn(steps: Steps): readonly { readonly name: string; readonly failure: Failure }[] {
  return Object.entries(steps).flatMap(([name, state]) =>
    state.status === 'failed' ? [{ name, failure: state.failure }] : [],
  );
}

/** The end of a step whose entries have all ended. */
export function endOfStep(
  { outcome }: WorkflowContext,
  { items, entries }: Extract<StepState, { status: 'running' }>,
): StepState {
  const failed = entries.flatMap((entry, index) =>
    entry.status === 'failed' ? [{ index, failure: entry.failure }] : [],
  );
  const outputs = entries.map((entry) => (entry.status === 'done' ? entry.output : null));
  const [first] = failed;
  if (first === undefined)
    return { status: 'done', output: items === undefined ? outputs[0] : outputs };
  if (outcome !== undefined && failed.every(({ failure }) => failure.code === 'TASK_KILLED'))
    return { status: 'skipped', reason: first.failure.message };
  if (items === undefined) return { status: 'failed', failure: first.failure };
  const message = `${failed.length} of ${items.length} entries failed; number ${first.index + 1}: ${first.failure.message}`;
  const details = { failed: failed.map(({ index }) => index + 1) };
  return { status: 'failed', failure: { code: first.failure.code, message, details } };
}

/** The step has the whole message. */
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

/** The outputs of the finished steps, by name. */
function outputsOf(steps: Steps): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(steps).flatMap(([name, state]) =>
      state.status === 'done' ? [[name, state.output]] : [],
    ),
  );
}
