import type { AnyActorRef } from 'xstate';
import type {
  TaskBackground,
  TaskInput,
  TaskKill,
  TaskSpawn,
  TaskStart,
} from '../../core/events.js';
import type { TaskId } from '../../core/ids.js';
import type { ForegroundEnd, TaskOutcome, TaskStateBase } from '../../core/task-types.js';
import type { WorkSend } from '../../machines/task/task-setup.js';
import type { Journal } from '../../journal/journal.js';
import type { PastTask } from '../../journal/entries/task-entries.js';
import type { EventSink } from '../services/event-bus.js';
import type { TimeSource } from '../services/timers.js';
import { createPastTasks, type PastTasks } from './past-tasks.js';
import { createTaskMemory } from './task-memory.js';
import { createTaskRecorder, type TaskRecorder } from './task-recorder.js';
import { createTaskStarts } from './task-starts.js';
import { createTaskWaiters } from './task-waiters.js';

/** Look up tasks of a session, live and ended. */
export interface TaskLookup {
  /** Find a task; one that has left memory is read from the journal. */
  find(id: string): TaskStateBase | undefined;
  /** Live tasks, those whose parent is not yet notified of their end, and the newest of all others; oldest first. */
  list(): readonly TaskStateBase[];
}

/** Reach the live tasks of a session. */
export interface LiveTasks {
  /** Send to a live task; an ended task ignores it. */
  send(id: TaskId, command: TaskCommand): void;
  /** The actor of a live task. */
  actorOf(id: TaskId): AnyActorRef | undefined;
}

/** The tasks whose callers wait for their results. */
export interface ForegroundTasks {
  /** Resolve when the task has ended, or with `backgrounded` if it moves to the background; reject with the signal's reason. */
  waitFor(id: TaskId, signal?: AbortSignal): Promise<ForegroundEnd>;
  /** Report the progress of a live task to its parent. */
  report(id: TaskId, progress: string): void;
}

/** The tasks of one session, live and ended. */
export interface TaskRegistry extends TaskLookup, LiveTasks {
  readonly foreground: ForegroundTasks;
  /**
   * Spawn a child of a task, and resolve when the child exists.
   *
   * @param onProgress called with the child's reports until it has ended
   * @throws TaskRefusedError
   */
  spawn(
    ownerId: TaskId,
    task: TaskInput,
    onProgress?: (progress: string) => void,
  ): Promise<TaskStateBase>;
  /** Resolve when the task has ended; reject with the signal's reason. */
  waitFor(id: TaskId, signal?: AbortSignal): Promise<TaskOutcome>;
}

type TaskCommand = TaskStart | TaskKill | TaskBackground | WorkSend;

/** The parts behind the tasks of one session: callers, recorder, and the tasks that are only in the journal. */
export type SessionTasks = {
  readonly tasks: TaskRegistry;
  readonly pastTasks: PastTasks;
  readonly recorder: TaskRecorder;
};

export function createSessionTasks({
  journal,
  bus,
  timers,
  earlier,
  onForget = () => {},
}: {
  readonly journal: Journal;
  readonly bus: EventSink;
  readonly timers: TimeSource;
  /** Tasks of the processes before this one. */
  readonly earlier: readonly PastTask[];
  /** Called before a task leaves memory. */
  readonly onForget?: (id: TaskId) => void;
}): SessionTasks {
  const memory = createTaskMemory(onForget);
  const pastTasks = createPastTasks(journal, memory, earlier);
  const find = (id: string): TaskStateBase | undefined =>
    memory.tasks.get(id as TaskId) ?? pastTasks.find(id)?.state; // any other text finds nothing
  const waiters = createTaskWaiters(find);
  const starts = createTaskStarts();
  const listeners = new Map<TaskId, (progress: string) => void>();
  const listenUntilEnd = async (id: TaskId, started: Promise<unknown>): Promise<void> => {
    await started.then(
      () => waiters.waitFor(id),
      () => {}, // refused
    );
    listeners.delete(id);
  };
  return {
    pastTasks,
    recorder: createTaskRecorder({ memory, starts, waiters, journal, bus, timers }),
    tasks: {
      find,
      list: () => [...memory.tasks.values()],
      spawn(ownerId, task, onProgress) {
        const started = starts.waitFor(task.id, ownerId);
        if (onProgress !== undefined) {
          listeners.set(task.id, onProgress);
          void listenUntilEnd(task.id, started);
        }
        const owner = memory.actors.get(ownerId);
        if (owner === undefined) starts.ownerEnded(ownerId);
        owner?.send({ type: 'task.spawn', task } satisfies TaskSpawn);
        return started;
      },
      send: (id, command) => memory.actors.get(id)?.send(command),
      actorOf: (id) => memory.actors.get(id),
      waitFor: waiters.waitFor,
      foreground: {
        waitFor: waiters.waitInForeground,
        report: (id, progress) => listeners.get(id)?.(progress),
      },
    },
  };
}
