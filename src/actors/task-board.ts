import { join } from 'node:path';
import type { AnyActorRef } from 'xstate';
import type { AppState } from '../core/app-state.js';
import { toTaskId, type AgentId, type TaskId } from '../core/ids.js';
import {
  isTerminalTaskStatus,
  type ForegroundEnd,
  type TaskOutcome,
  type TaskStateBase,
  type TaskStatus,
} from '../core/task-types.js';
import type { KeptWorktree } from '../core/worktree.js';
import type { Journal } from '../journal/journal.js';
import { readWholeJournal } from '../journal/read-journal.js';
import { TaskEntry, toPastTasks, type PastTask } from '../journal/task-entries.js';
import { createTaskIndex } from '../journal/task-index.js';
import type { TaskContext } from '../machines/task-setup.js';
import { CommandResult } from '../tools/shell/command-result.js';
import { createEndedTasks } from './ended-tasks.js';
import type { EventBus } from './event-bus.js';
import type { Timers } from './timers.js';

/**
 * What a session says of its tasks: every status is read off an actor's snapshot, written to the journal, then shown.
 * Nothing here decides anything. An ended task whose owner was told of it, or took its result, or has ended itself, may
 * leave memory: the newest of them are kept, the others are read off the journal when they are asked for.
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
  /** What the journal says of a task that has left memory. */
  findPast(id: string): PastTask | undefined;
  /** The newest task of an agent that has left memory. */
  taskOfPastAgent(id: AgentId): TaskId | undefined;
  /** Live ones, those whose owner is to be told of their end, and the newest of all others; oldest first. */
  list(): readonly TaskStateBase[];
  /** Every one that there ever was, read off the journal. */
  history(): readonly TaskStateBase[];
  /** Those that live, or whose owner is to be told of their end; a new record after each change. */
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
  onForget = () => {},
}: {
  journal: Journal;
  bus: EventBus;
  timers: Timers;
  /** A task is about to leave memory. */
  onForget?: (id: TaskId) => void;
}): TaskBoard {
  const actors = new Map<TaskId, AnyActorRef>();
  const refusals = new Map<TaskId, string>();
  const tasks = new Map<TaskId, TaskStateBase>();
  const waiting = new Map<TaskId, Set<Waiter>>();

  let forgotten = 0;
  let record: AppState['tasks'] | undefined;

  const fileOf = (id: TaskId): string => journal.pathOf(`output/${id}`);

  const index = createTaskIndex(join(journal.directory, 'tasks.jsonl'), fileOf);

  const findPast = (id: string): PastTask | undefined => {
    const known = forgotten > 0 ? toTaskId(id) : null;
    if (known === null || tasks.has(known)) return undefined;
    const past = index.find(known);
    if (past === undefined) return undefined;
    return { ...past, state: { ...past.state, notified: past.state.isBackgrounded === true } };
  };

  const find = (id: string): TaskStateBase | undefined =>
    tasks.get(id as TaskId) ?? findPast(id)?.state; // a text that is no id finds nothing

  const endings = createEndedTasks({
    isLive: (id) => actors.has(id),
    forget(id) {
      onForget(id);
      tasks.delete(id);
      forgotten += 1;
    },
  });

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
      const outcome = find(id)?.outcome;
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

  /** A session that could not be written down has not succeeded, also if its actor was done before it could be told. */
  const endOf = (
    status: TaskStatus,
    { input, outcome }: TaskContext,
  ): { readonly status: TaskStatus; readonly outcome: TaskOutcome | undefined } => {
    if (input.kind !== 'session' || outcome?.status !== 'completed') return { status, outcome };
    journal.checkFiles();
    if (journal.failure === undefined) return { status, outcome };
    return { status: 'killed', outcome: { status: 'killed', reason: journal.failure.message } };
  };

  return {
    observe(actor, observed, context) {
      const { id, agentId } = context.input;
      const { status, outcome } = endOf(observed, context);
      const known = tasks.get(id);
      if (known?.isBackgrounded === false && context.isBackgrounded) sendToBackground(known);
      if (known?.status === status) return;
      if (known === undefined && isTerminalTaskStatus(status)) return; // it has left memory
      if (known === undefined) actors.set(id, actor);
      const at = timers.now();
      const task: TaskStateBase = {
        ...(tasks.get(id) ?? firstState(context, journal.pathOf(`output/${id}`), at)),
        status,
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
              agentId,
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
      endings.ended(task);
      record = undefined;
    },
    restore(past) {
      past.forEach(put);
      past.forEach(endings.restored);
    },
    refused(id, reason) {
      refusals.set(id, reason);
    },
    refusalOf(id) {
      const reason = refusals.get(id);
      refusals.delete(id);
      return reason;
    },
    actorOf: (id) => actors.get(id),
    find,
    findPast,
    taskOfPastAgent: (id) => (forgotten === 0 ? undefined : index.taskOfAgent(id)),
    list: () => [...tasks.values()],
    history() {
      if (forgotten === 0) return [...tasks.values()];
      const entries = readWholeJournal(journal.pathOf('tasks.jsonl'), TaskEntry);
      return [...toPastTasks(entries, fileOf).values()].map(
        ({ state }) => tasks.get(state.id) ?? state,
      );
    },
    get record() {
      return (record ??= Object.fromEntries([...tasks].filter(([id]) => !endings.isOver(id))));
    },
    waitFor: (id, signal) =>
      wait(id, signal, (resolve) => ({ ended: resolve, backgrounded: undefined })),
    waitInForeground(id, signal) {
      const { isBackgrounded = false, outcome } = find(id) ?? {};
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
      endings.notified(told);
      record = undefined;
    },
  };
}

function firstState(context: TaskContext, outputFile: string, at: number): TaskStateBase {
  const { isBackgrounded } = context;
  const { id, kind, description, parentId, toolUseId } = context.input;
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
