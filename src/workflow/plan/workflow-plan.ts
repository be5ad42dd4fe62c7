import { parseDuration } from '../../core/time/duration.js';
import { toFailure } from '../../core/errors.js';
import type { Failure } from '../../core/failure.js';
import type { WorkOutcome } from '../../core/task-types.js';
import type { WorkflowTask } from '../workflow-definition.js';
import { readCondition, readsStatus } from '../workflow-expressions.js';
import { endOfStep, finishOf, finishEarly, hasEnded } from './workflow-finish.js';
import { retryDelayMs } from './workflow-retry.js';
import { holds, itemsOf, scopeOf, workOf } from './workflow-scope.js';
import type {
  Attempt,
  EntryState,
  StepState,
  WorkflowContext,
  WorkflowEffect,
  WorkflowEvent,
} from './workflow-types.js';

/** The result of a change: the new state of the workflow, and its effects. */
export type Plan = {
  readonly context: WorkflowContext;
  readonly effects: readonly WorkflowEffect[];
};

const DEFAULT_CONCURRENCY = 10;

/** Begin every step that may begin now, until nothing more follows from the present state. */
export function advance(context: WorkflowContext): Plan {
  let plan: Plan = { context, effects: [] };
  for (;;) {
    const next = step(plan);
    if (next === undefined) return plan;
    plan = { context: next.context, effects: [...plan.effects, ...next.effects] };
  }
}

/** An attempt has ended: the entry is done, fails, or waits for the next attempt. */
export function afterEnd(
  context: WorkflowContext,
  event: Extract<WorkflowEvent, { type: 'attempt.ended' }>,
): Plan {
  const { step: name, entry, attempt, outcome } = event;
  const state = runningStep(context, name);
  const running = state?.entries[entry];
  if (state === undefined || running?.status !== 'running') return { context, effects: [] };
  const failure = running.ends ?? failureOf(outcome);
  if (failure === undefined && outcome.status === 'completed')
    return advance(withEntry(context, event, { status: 'done', output: outcome.result }));
  const delayMs = retryDelayMs(taskOf(context, name), attempt, failure as Failure);
  if (delayMs === undefined || context.outcome !== undefined)
    return advance(withEntry(context, event, { status: 'failed', failure: failure as Failure }));
  const delayed = withEntry(context, event, { status: 'delayed', attempt: attempt + 1 });
  const effect: WorkflowEffect = {
    type: 'delay',
    step: name,
    entry,
    attempt: attempt + 1,
    delayMs,
  };
  return { context: delayed, effects: [effect] };
}

/** An attempt took too long: it is asked to end and waited for. */
export function afterTimeout(
  context: WorkflowContext,
  { step: name, entry, attempt, timeoutMs }: Extract<WorkflowEvent, { type: 'attempt.timedOut' }>,
): Plan {
  const message = `The attempt took longer than ${timeoutMs} ms and was ended.`;
  const ends: Failure = { code: 'STEP_TIMEOUT', message, details: { timeoutMs } };
  const place = { step: name, entry, attempt };
  return {
    context: withEntry(context, place, { status: 'running', attempt, ends }),
    effects: [{ type: 'end', ...place, reason: message }],
  };
}

/** The retry delay of an attempt is over. */
export function afterRest(context: WorkflowContext, { step: name, entry, attempt }: Attempt): Plan {
  return beginEntry(context, { step: name, entry, attempt });
}

/** The workflow has an outcome: running steps are asked to end, and nothing begins any more. */
export function windUp(context: WorkflowContext, outcome: WorkOutcome, reason: string): Plan {
  if (context.outcome !== undefined) return { context, effects: [] };
  const effects: WorkflowEffect[] = [];
  const steps = Object.entries(context.steps).map(([name, state]): [string, StepState] => {
    if (state.status === 'pending') {
      const skipped: StepState = { status: 'skipped', reason };
      effects.push({ type: 'tell', step: name, state: skipped });
      return [name, skipped];
    }
    if (state.status !== 'running') return [name, state];
    const ends: Failure = { code: 'TASK_KILLED', message: reason };
    const entries = state.entries.map((entry, index): EntryState => {
      if (entry.status === 'waiting' || entry.status === 'delayed')
        return { status: 'failed', failure: ends };
      if (entry.status !== 'running' || entry.ends !== undefined) return entry;
      effects.push({ type: 'end', step: name, entry: index, attempt: entry.attempt, reason });
      return { ...entry, ends };
    });
    return [name, { ...state, entries }];
  });
  return join(
    { context: { ...context, outcome, steps: Object.fromEntries(steps) }, effects },
    advance,
  );
}

/** The workflow is abandoned at once: every step still gets an end. */
export function abandon(context: WorkflowContext, failure: Failure): Plan {
  const open = Object.entries(context.steps).filter(([, state]) => !hasEnded(state));
  const ended = open.map(([name, { status }]): [string, StepState] => [
    name,
    status === 'pending'
      ? { status: 'skipped', reason: failure.message }
      : { status: 'failed', failure },
  ]);
  return {
    context: {
      ...context,
      outcome: context.outcome ?? { status: 'failed', failure },
      steps: { ...context.steps, ...Object.fromEntries(ended) },
    },
    effects: ended.map(([name, state]) => ({ type: 'tell', step: name, state })),
  };
}

/** An error in a decision ends the workflow: each of its steps gets an end. */
export function decideOrFail(
  context: WorkflowContext,
  plan: (context: WorkflowContext) => Plan,
  ended?: Attempt,
): Plan {
  try {
    return plan(context);
  } catch (error) {
    const failure = toFailure(error);
    const known =
      ended === undefined ? context : withEntry(context, ended, { status: 'failed', failure });
    return windUp(
      known,
      { status: 'failed', failure },
      `it could not continue: ${failure.message}`,
    );
  }
}

/**
 * One consequence of the present state, or none. Known results come before new beginnings, because they may be all that
 * is needed.
 */
function step({ context }: Plan): Plan | undefined {
  const outcome = context.outcome === undefined ? finishOf(context) : undefined;
  if (outcome !== undefined) return windUp(context, outcome, finishEarly);
  const running: string[] = [];
  for (const name of Object.keys(context.steps)) {
    const next = settleStep(context, name);
    if (next !== undefined) return next;
    if (runningStep(context, name) !== undefined) running.push(name);
  }
  for (const name of running) {
    const next = goOn(context, name);
    if (next !== undefined) return next;
  }
  return undefined;
}

/** Decide about a pending step, and end one after its last entry. */
function settleStep(context: WorkflowContext, name: string): Plan | undefined {
  const state = context.steps[name];
  if (state?.status === 'pending')
    return context.outcome === undefined ? decide(context, name) : undefined;
  if (state?.status !== 'running') return undefined;
  const isOver = !state.entries.some((entry) => entry.status === 'waiting' || isBusy(entry));
  return isOver ? settle(context, name, endOfStep(context, state)) : undefined;
}

/** Whether a step begins, is skipped, or keeps waiting. */
function decide(context: WorkflowContext, name: string): Plan | undefined {
  const needs = context.needs[name] ?? [];
  const states = needs.map((need) => [need, context.steps[need]] as const);
  if (states.some(([, state]) => state?.status === 'pending' || state?.status === 'running'))
    return undefined;
  const { when, foreach } = taskOf(context, name);
  const missing = states.find(([, state]) => state?.status !== 'done');
  const decidesAlone = when !== undefined && readCondition(when, []).expressions.some(readsStatus);
  if (missing !== undefined && !decidesAlone) {
    const [need, state] = missing;
    const why = state?.status === 'failed' ? 'has failed' : 'was skipped';
    return settle(context, name, { status: 'skipped', reason: `"${need}" ${why}` });
  }
  const scope = scopeOf(context, needs);
  const wanted = when === undefined ? { value: true } : holds(when, scope);
  if ('failure' in wanted) return settle(context, name, { status: 'failed', ...wanted });
  if (!wanted.value)
    return settle(context, name, {
      status: 'skipped',
      reason: `the condition does not hold: ${when ?? ''}`,
    });
  if (foreach === undefined) return enter(context, name, undefined, 1);
  const items = itemsOf(foreach, scope);
  if ('failure' in items) return settle(context, name, { status: 'failed', ...items });
  return enter(context, name, items.value, items.value.length);
}

function enter(
  context: WorkflowContext,
  name: string,
  items: readonly unknown[] | undefined,
  count: number,
): Plan {
  const done = new Map(Object.entries(context.done ?? {})).get(name) ?? {};
  const entries = Array.from({ length: count }, (_, index): EntryState =>
    Object.hasOwn(done, index) ? { status: 'done', output: done[index] } : { status: 'waiting' },
  );
  return settle(context, name, { status: 'running', items, entries });
}

/** Begin entries of a running step as far as its limit allows. */
function goOn(context: WorkflowContext, name: string): Plan | undefined {
  const { items, entries = [] } = runningStep(context, name) ?? {};
  const waiting = entries.findIndex(({ status }) => status === 'waiting');
  if (waiting === -1) return undefined;
  const { concurrency = DEFAULT_CONCURRENCY, agent } = taskOf(context, name);
  if (items !== undefined && entries.filter(isBusy).length >= concurrency) return undefined;
  if (agent !== undefined && !hasRoomForAgent(context)) return undefined;
  return beginEntry(context, { step: name, entry: waiting, attempt: 1 });
}

/** A budget without any room refuses the first one, which is reported. */
function hasRoomForAgent(context: WorkflowContext): boolean {
  const { agentsAtOnce, steps } = context;
  if (agentsAtOnce === undefined) return true;
  const busy = Object.keys(steps)
    .filter((name) => taskOf(context, name).agent !== undefined)
    .flatMap((name) => runningStep(context, name)?.entries.filter(isBusy) ?? []);
  return busy.length < Math.max(1, agentsAtOnce);
}

function isBusy({ status }: EntryState): boolean {
  return status === 'running' || status === 'delayed';
}

function beginEntry(context: WorkflowContext, place: Attempt): Plan {
  const { step: name, entry, attempt } = place;
  const task = taskOf(context, name);
  const items = runningStep(context, name)?.items;
  const own = items === undefined ? {} : { item: items[entry], index: entry };
  const work = workOf(task, { ...scopeOf(context, context.needs[name] ?? []), ...own });
  if ('failure' in work)
    return join(
      { context: withEntry(context, place, { status: 'failed', ...work }), effects: [] },
      attempt === 1 ? keep : advance,
    );
  const label = items === undefined ? name : `${name} ${entry + 1}/${items.length}`;
  const timeoutMs = task.timeout === undefined ? undefined : parseDuration(task.timeout);
  return {
    context: withEntry(context, place, { status: 'running', attempt }),
    effects: [{ type: 'begin', ...place, work: work.value, label, timeoutMs }],
  };
}

function settle(context: WorkflowContext, name: string, state: StepState): Plan {
  return {
    context: { ...context, steps: { ...context.steps, [name]: state } },
    effects: [{ type: 'tell', step: name, state }],
  };
}

function withEntry(context: WorkflowContext, { step: name, entry }: Attempt, to: EntryState) {
  const state = runningStep(context, name);
  if (state === undefined) return context;
  const entries = state.entries.with(entry, to);
  return { ...context, steps: { ...context.steps, [name]: { ...state, entries } } };
}

function failureOf(outcome: WorkOutcome): Failure | undefined {
  return outcome.status === 'failed' ? outcome.failure : undefined;
}

export function runningStep({ steps }: Pick<WorkflowContext, 'steps'>, name: string) {
  const state = steps[name];
  return state?.status === 'running' ? state : undefined;
}

function taskOf({ definition }: WorkflowContext, name: string): WorkflowTask {
  return definition.tasks[name] as WorkflowTask; // steps are made of its tasks
}

function join(plan: Plan, then: (context: WorkflowContext) => Plan): Plan {
  const next = then(plan.context);
  return { context: next.context, effects: [...plan.effects, ...next.effects] };
}

function keep(context: WorkflowContext): Plan {
  return { context, effects: [] };
}
