import type { AnyActorRef } from 'xstate';
import type { AppState } from '../core/app-state.js';
import type { TaskId } from '../core/ids.js';
import {
  isTerminalTaskStatus,
  type ForegroundEnd,
  type TaskOutcome,
  type TaskStateBase,
  type TaskStatus,
} from '../core/task-types.js';
import type { KeptWorktree } from '../core/worktree.js';
import type { Journal } from '../journal/journal.js';
import type { TaskContext } from '../machines/task-setup.js';
import { CommandResult } from '../tools/shell/command-result.js';
import type { EventBus } from './event-bus.js';
import type { Timers } from './timers.js';

/**
 * What a session says of its tasks: every status is read off an actor's snapshot, written to the journal, then shown.
 * Nothing here decides anything.
 */
export interface TaskBoard {
  /** Takes note of a snapshot of a task's actor; called for each, cheap where the status is the same. */
  observe(actor: AnyActorRef, status: TaskStatus, context: TaskContext): void;
  /** Puts in what an earlier process did: nobody is told. */
  restore(tasks: readonly TaskStateBase[]): void;
  /** The task was refused: whoever waits for it is told. */
  refused(id: TaskId, reason: string): void;
  refusalOf(id: TaskId): string | undefined;
  actorOf(id: TaskId): AnyActorRef | undefined;
  find(id: string): TaskStateBase | undefined;
  list(): readonly TaskStateBase[];
  /** The same as a record; a new one after each change. */
  readonly record: AppState['tasks'];
  /** Resolves when the task has ended; rejects with the signal's reason. */
  waitFor(id: TaskId, signal?: AbortSignal): Promise<TaskOutcome>;
  /** The same, and earlier with `backgrounded` where the task goes on in the background. */
  waitInForeground(id: TaskId, signal?: AbortSignal): Promise<ForegroundEnd>;
  /** A reader has taken the task's output up to this byte. */
  outputTaken(id: TaskId, next: number): void;
  /** Its agent has left a git worktree behind. */
  keptWorktree(id: TaskId, worktree: KeptWorktree): void;
  /** The owner was told of the end. */
  notified(id: TaskId): void;
}

type Waiter = {
  readonly ended: (outcome: TaskOutcome) => void;
  /** Of one that waits in the foreground. */
  readonly backgrounded: (() => void) | undefined;
};

export function createTaskBoard({
  journal,
  bus,
  timers,
}: {
  journal: Journal;
  bus: EventBus;
  timers: Timers;
}): TaskBoard {
  const actors = new Map<TaskId, AnyActorRef>();
  const refusals = new Map<TaskId, string>();
  const tasks = new Map<TaskId, TaskStateBase>();
  const waiting = new Map<TaskId, Set<Waiter>>();

  let record: AppState['tasks'] | undefined;

  const put = (task: TaskStateBase): void => {
    tasks.set(task.id, task);
    record = undefined;
  };

  const sendToBackground = (known: TaskStateBase): void => {
    const { id } = known;
    const task = { ...known, isBackgrounded: true };
    journal.append('tasks.jsonl', { type: 'task.backgrounded', id });
    put(task);
    for (const waiter of waiting.get(id) ?? []) {
      if (waiter.backgrounded === undefined) continue;
      waiting.get(id)?.delete(waiter);
      waiter.backgrounded();
    }
    bus.emit('task.status', task);
  };

  const wait = <T>(
    id: TaskId,
    signal: AbortSignal | undefined,
    toWaiter: (resolve: (end: T | TaskOutcome) => void) => Waiter,
  ): Promise<T | TaskOutcome> =>
    new Promise((resolve, reject) => {
      const outcome = tasks.get(id)?.outcome;
      if (outcome !== undefined) return resolve(outcome);
      signal?.throwIfAborted();
      const waiters = waiting.get(id) ?? new Set();
      const stop = (): void => {
        waiters.delete(waiter);
        reject(signal?.reason as Error);
      };
      const waiter = toWaiter((end) => {
        signal?.removeEventListener('abort', stop);
        resolve(end);
      });
      waiters.add(waiter);
      waiting.set(id, waiters);
      signal?.addEventListener('abort', stop, { once: true });
    });

  return {
    observe(actor, status, context) {
      const { id, outcome } = context;
      const known = tasks.get(id);
      if (known?.isBackgrounded === false && context.isBackgrounded) sendToBackground(known);
      if (known?.status === status) return;
      if (known === undefined) actors.set(id, actor);
      const at = timers.now();
      const task: TaskStateBase = {
        ...(tasks.get(id) ?? firstState(context, journal.pathOf(`output/${id}`), at)),
        status,
        ...(context.totalPausedMs === 0 ? {} : { totalPausedMs: context.totalPausedMs }),
        ...(isTerminalTaskStatus(status) && outcome !== undefined ? { endTime: at, outcome } : {}),
      };
      journal.append('tasks.jsonl', {
        type: 'task.status',
        id,
        status,
        ...(known === undefined
          ? {
              kind: task.type,
              description: task.description,
              parentId: task.parentId,
              toolUseId: task.toolUseId,
              agentId: context.agentId,
              isBackgrounded: task.isBackgrounded,
            }
          : {}),
        ...(task.outcome === undefined ? {} : { outcome: toJournaled(task.outcome) }),
      });
      put(task);
      bus.emit('task.status', task);
      if (task.outcome === undefined) return;
      void journal.sync('tasks.jsonl');
      actors.delete(id);
      for (const waiter of waiting.get(id) ?? []) waiter.ended(task.outcome);
      waiting.delete(id);
    },
    restore: (past) => past.forEach(put),
    refused(id, reason) {
      refusals.set(id, reason);
    },
    refusalOf(id) {
      const reason = refusals.get(id);
      refusals.delete(id);
      return reason;
    },
    actorOf: (id) => actors.get(id),
    find: (id) => tasks.get(id as TaskId), // a text that is no id finds nothing
    list: () => [...tasks.values()],
    get record() {
      return (record ??= Object.fromEntries(tasks));
    },
    waitFor: (id, signal) =>
      wait(id, signal, (resolve) => ({ ended: resolve, backgrounded: undefined })),
    waitInForeground(id, signal) {
      const { isBackgrounded = false, outcome } = tasks.get(id) ?? {};
      if (isBackgrounded && outcome === undefined)
        return Promise.resolve({ status: 'backgrounded' });
      return wait<ForegroundEnd>(id, signal, (resolve) => ({
        ended: resolve,
        backgrounded: () => resolve({ status: 'backgrounded' }),
      }));
    },
    outputTaken(id, next) {
      const task = tasks.get(id);
      if (task !== undefined && next > task.outputOffset) put({ ...task, outputOffset: next });
    },
    keptWorktree(id, worktree) {
      const task = tasks.get(id);
      if (task !== undefined) put({ ...task, worktree });
    },
    notified(id) {
      const task = tasks.get(id);
      if (task === undefined || task.notified) return;
      const told = { ...task, notified: true };
      put(told);
      bus.emit('task.notified', told);
    },
  };
}

function firstState(context: TaskContext, outputFile: string, at: number): TaskStateBase {
  const { id, kind, description, parentId, toolUseId, isBackgrounded } = context;
  return {
    id,
    type: kind,
    status: 'pending',
    description,
    startTime: at,
    outputFile,
    outputOffset: 0,
    notified: false,
    isBackgrounded,
    ...(parentId === undefined ? {} : { parentId }),
    ...(toolUseId === undefined ? {} : { toolUseId }),
  };
}

/** What a command wrote is in the task's output file; here stands how it ended. */
function toJournaled(outcome: TaskOutcome): TaskOutcome {
  if (outcome.status !== 'completed') return outcome;
  const command = CommandResult.safeParse(outcome.result);
  if (!command.success) return outcome;
  const { stdout: _stdout, stderr: _stderr, ...result } = command.data;
  return { status: 'completed', result };
}
