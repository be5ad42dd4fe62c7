import { setImmediate } from 'node:timers/promises';
import { toFailure } from '../../core/errors.js';
import type { TaskId } from '../../core/ids.js';
import type { TaskStateBase, WorkOutcome } from '../../core/task-types.js';
import type { JournalLines } from '../../journal/journal.js';
import type { Attempt, WorkflowEffect, WorkflowEvent } from '../../workflow/plan/workflow-types.js';
import type { AgentOrigin, EventBus, EventSource } from '../services/event-bus.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import type { Alarm, TimeSource } from '../services/timers.js';
import { usageOf, type UsageOwners } from '../agents/usage-of-task.js';
import { runAttempt, type AttemptOwners, type WorkflowOwner } from './run-attempt.js';

/** The services that attempts run with. */
export type AttemptsOwners = AttemptOwners &
  UsageOwners & {
    readonly tasks: TaskRegistry;
    readonly journal: JournalLines;
    readonly bus: EventBus;
  };

/** The attempts of one workflow: the running ones, and those that wait for their time. */
export interface WorkflowAttempts {
  /** Run an attempt. Its end is journaled, then sent to the workflow. Rejects if that fails. */
  begin(effect: Effect<'begin'>): Promise<void>;
  /** Wait, then tell the workflow that the next attempt is due. */
  wait(effect: Effect<'delay'>): void;
  end(place: Attempt, reason: string): void;
  /** Forget the waiting attempts. */
  stopWaiting(): void;
  /** End all running attempts. */
  endAll(reason: string): void;
}

type Effect<Type extends WorkflowEffect['type']> = Extract<WorkflowEffect, { type: Type }>;

export function createWorkflowAttempts(
  owners: AttemptsOwners,
  owner: WorkflowOwner,
  timers: Alarm & TimeSource,
  tell: (event: WorkflowEvent) => void,
): WorkflowAttempts {
  const { journal } = owners;
  const file = `workflows/${owner.taskId}.jsonl` as const;
  const running = new Map<string, AbortController>();
  const waits = createWaits(timers);
  const denials = watchDenials(owners.bus);
  let begun = 0;

  return {
    async begin({ work, label, timeoutMs, step, entry, attempt }) {
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
          if (timeoutMs === undefined) return;
          const timeOut = (): void => tell({ type: 'attempt.timedOut', ...place, timeoutMs });
          whenRunning(owners, id, () => waits.set(key, timeoutMs, timeOut));
        },
      }).catch((error: unknown): WorkOutcome => ({ status: 'failed', failure: toFailure(error) }));
      const isDenied = work.kind === 'tool' && denials.has(taskId);
      const outcome = isDenied ? asLasting(ended) : ended;
      running.delete(key);
      waits.clear(key);
      const used = usedBy(owners, taskId);
      journal.append(file, {
        type: 'attempt.ended',
        ...place,
        taskId,
        startedAt,
        outcome,
        ...used,
      });
      tell({ type: 'attempt.ended', ...place, outcome });
    },
    wait({ step, entry, attempt, delayMs }) {
      const place = { step, entry, attempt };
      waits.set(keyOf(place), delayMs, () => tell({ type: 'attempt.due', ...place }));
    },
    end: (place, reason) => running.get(keyOf(place))?.abort(reason),
    stopWaiting() {
      waits.clearAll();
      denials.stop();
    },
    endAll(reason) {
      for (const controller of running.values()) controller.abort(reason);
    },
  };
}

/** Attempts may never wait for anything: after this many, the event loop runs signals, timers and sockets. */
const BEGUN_IN_A_ROW = 10;

/** One timer for each attempt: for its time limit, or until the next attempt is due. */
function createWaits(timers: Alarm) {
  const waits = new Map<string, () => void>();
  return {
    set(key: string, delayMs: number, then: () => void): void {
      const cancel = timers.after(delayMs, () => {
        waits.delete(key);
        then();
      });
      waits.set(key, cancel);
    },
    clear(key: string): void {
      waits.get(key)?.();
      waits.delete(key);
    },
    clearAll(): void {
      for (const cancel of waits.values()) cancel();
      waits.clear();
    },
  };
}

/** The tasks with a denied tool call. */
function watchDenials(bus: EventSource) {
  const denied = new Set<TaskId | undefined>();
  const note = ({ taskId }: AgentOrigin): void => void denied.add(taskId);
  bus.on('permission.denied', note);
  return {
    has: (taskId: TaskId | undefined): boolean => denied.has(taskId),
    stop: () => void bus.off('permission.denied', note),
  };
}

/** The outcome without further attempts, which would end the same way: no request is made again. */
function asLasting(outcome: WorkOutcome): WorkOutcome {
  if (outcome.status !== 'failed') return outcome;
  const { failure } = outcome;
  return { ...outcome, failure: { ...failure, details: { ...failure.details, lasts: true } } };
}

/** The usage of an attempt and everything below it; empty if no model was asked. */
function usedBy(owners: AttemptsOwners, taskId: TaskId | undefined): object {
  if (taskId === undefined) return {};
  const { usage, costUsd, calls } = usageOf(owners, taskId).total;
  return calls === 0 ? {} : { usage, costUsd, calls };
}

/** Call back when the task runs: the wait for room does not count as its time. */
function whenRunning(
  { tasks, bus }: Pick<AttemptsOwners, 'tasks' | 'bus'>,
  id: TaskId,
  run: () => void,
): void {
  const look = (task: TaskStateBase | undefined): void => {
    if (task?.id !== id || task.status === 'pending') return;
    bus.off('task.status', look);
    if (task.status === 'running') run();
  };
  bus.on('task.status', look);
  look(tasks.find(id));
}

function keyOf({ step, entry, attempt }: Attempt): string {
  return `${step}/${entry}/${attempt}`;
}
