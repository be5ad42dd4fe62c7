import { setImmediate } from 'node:timers/promises';
import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type { TaskId } from '../../core/ids.js';
import type { TaskStateBase, WorkOutcome } from '../../core/task-types.js';
import type { Attempt, WorkflowEffect, WorkflowEvent } from '../../machines/workflow-types.js';
import type { AgentOrigin, EventBus } from '../event-bus.js';
import type { Journal } from '../../journal/journal.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import type { Timers } from '../timers.js';
import { usageOf, type UsageOwners } from '../usage-of-task.js';
import { runAttempt, type AttemptOwners, type WorkflowOwner } from './run-attempt.js';

/** The effects of one live workflow. */
export interface WorkflowRun {
  perform(effects: readonly WorkflowEffect[]): void;
  /** Ends what runs and takes back what waits. Nobody is told. */
  tearOff(): void;
}

/** What a workflow runs with. */
export type RunOwners = AttemptOwners &
  UsageOwners & {
    readonly tasks: TaskRegistry;
    readonly journal: Journal;
    readonly bus: EventBus;
  };

type Begin = Extract<WorkflowEffect, { type: 'begin' }>;

export function createWorkflowRun(
  owners: RunOwners,
  actor: AnyActorRef,
  owner: WorkflowOwner,
  timers: Timers,
): WorkflowRun {
  const { journal, bus } = owners;
  const file = `workflows/${owner.taskId}.jsonl` as const;
  /** Tries that run, and how waits are taken back, by place. */
  const running = new Map<string, AbortController>();
  const waits = new Map<string, () => void>();

  /** Tasks one of whose uses was not allowed. */
  const refused = new Set<TaskId>();
  const noteRefusal = ({ taskId }: AgentOrigin): void => void refused.add(taskId);
  bus.on('permission.denied', noteRefusal);

  let begun = 0;

  const tell = (event: WorkflowEvent): void => {
    if (actor.getSnapshot().status === 'active') actor.send(event);
  };

  const waitFor = (place: Attempt, delayMs: number, event: WorkflowEvent): void => {
    const key = keyOf(place);
    waits.set(
      key,
      timers.after(delayMs, () => {
        waits.delete(key);
        tell(event);
      }),
    );
  };

  const begin = async ({ work, label, timeoutMs, step, entry, attempt }: Begin): Promise<void> => {
    const place = { step, entry, attempt };
    const key = keyOf(place);
    const controller = new AbortController();
    running.set(key, controller);
    begun += 1;
    if (begun % BEGUN_IN_A_ROW === 0) await setImmediate();
    let taskId: TaskId | undefined;
    const startedAt = timers.now();
    const ended = await runAttempt(owners, owner, work, {
      label,
      signal: controller.signal,
      onBegun(id) {
        taskId = id;
        journal.append(file, { type: 'attempt.began', ...place, taskId: id });
        if (timeoutMs !== undefined)
          whenRunning(owners, id, () =>
            waitFor(place, timeoutMs, { type: 'attempt.timedOut', ...place, timeoutMs }),
          );
      },
    }).catch((error: unknown): WorkOutcome => ({ status: 'failed', failure: toFailure(error) }));
    const isRefused = work.kind === 'tool' && taskId !== undefined && refused.has(taskId);
    const outcome = isRefused ? asLasting(ended) : ended;
    running.delete(key);
    waits.get(key)?.();
    waits.delete(key);
    journal.append(file, {
      type: 'attempt.ended',
      ...place,
      taskId,
      startedAt,
      outcome,
      ...usedBy(owners, taskId),
    });
    tell({ type: 'attempt.ended', ...place, outcome });
  };

  const performOne = (effect: WorkflowEffect): void => {
    switch (effect.type) {
      case 'begin':
        void later(() => begin(effect)).catch((error: unknown) => {
          const { step, entry, attempt } = effect;
          const outcome: WorkOutcome = { status: 'failed', failure: toFailure(error) };
          tell({ type: 'attempt.ended', step, entry, attempt, outcome });
        });
        return;
      case 'rest': {
        const { step, entry, attempt, delayMs } = effect;
        const place = { step, entry, attempt };
        waitFor(place, delayMs, { type: 'attempt.due', ...place });
        return;
      }
      case 'end':
        void later(() => running.get(keyOf(effect))?.abort(effect.reason));
        return;
      case 'tell': {
        const { step, state } = effect;
        const { status } = state;
        const more =
          state.status === 'failed'
            ? { failure: state.failure }
            : state.status === 'skipped'
              ? { reason: state.reason }
              : state.status === 'running' && state.items !== undefined
                ? { entries: state.items.length }
                : {};
        journal.append(file, { type: 'step.status', step, status, ...more });
        bus.emit('workflow.step', owner.taskId, { step, state });
        return;
      }
      default:
        effect satisfies never;
    }
  };

  return {
    perform: (effects) => effects.forEach(performOne),
    tearOff() {
      for (const takeBack of waits.values()) takeBack();
      waits.clear();
      for (const controller of running.values()) void later(() => controller.abort('torn off'));
      bus.off('permission.denied', noteRefusal);
      void journal.sync(file);
    },
  };
}

/** Tries may never wait for anything: after so many the process looks at signals, timers and sockets. */
const BEGUN_IN_A_ROW = 10;

/** Another try would come to the same, and nobody is asked again. */
function asLasting(outcome: WorkOutcome): WorkOutcome {
  if (outcome.status !== 'failed') return outcome;
  const { failure } = outcome;
  return { ...outcome, failure: { ...failure, details: { ...failure.details, lasts: true } } };
}

/** What a try and everything below it have used; nothing where it asked no model. */
function usedBy(owners: RunOwners, taskId: TaskId | undefined): object {
  if (taskId === undefined) return {};
  const { usage, costUsd, calls } = usageOf(owners, taskId).total;
  return calls === 0 ? {} : { usage, costUsd, calls };
}

/** A task may be kept waiting until there is room for it: that is no part of its time. */
function whenRunning({ tasks, bus }: RunOwners, id: TaskId, run: () => void): void {
  const look = (task: TaskStateBase | undefined): void => {
    if (task?.id !== id || task.status === 'pending') return;
    bus.off('task.status', look);
    if (task.status === 'running') run();
  };
  bus.on('task.status', look);
  look(tasks.find(id));
}

/** What reaches other actors is done after the transition that asked for it. */
function later(effect: () => unknown): Promise<unknown> {
  return Promise.resolve().then(effect);
}

function keyOf({ step, entry, attempt }: Attempt): string {
  return `${step}/${entry}/${attempt}`;
}
