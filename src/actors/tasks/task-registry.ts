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
import type { EventBus } from '../services/event-bus.js';
import type { TimeSource } from '../services/timers.js';
import { createPastTasks, type PastTasks } from './past-tasks.js';
import { createTaskMemory } from './task-memory.js';
import { createTaskRecorder, type TaskRecorder } from './task-recorder.js';
import { createTaskStarts } from './task-starts.js';
import { createTaskWaiters } from './task-waiters.js';

/** Finding tasks of a session, live and ended. */
export interface TaskLookup {
  /** A task that has left memory is read off the journal. */
  find(id: string): TaskStateBase | undefined;
  /** Live tasks, those whose owner is to be told of their end, and the newest of all others; oldest first. */
  list(): readonly TaskStateBase[];
}

/** Reaching the live tasks of a session. */
export interface LiveTasks {
  /** Send to a live task; nothing happens if it has ended. */
  send(id: TaskId, command: TaskCommand): void;
  /** The actor of a live task. */
  actorOf(id: TaskId): AnyActorRef | undefined;
}

/** The tasks of one session, live and ended. */
export interface TaskRegistry extends TaskLookup, LiveTasks {
  /**
   * Ask a task for a child: resolves when the child is there.
   *
   * @param onProgress is called with what the child reports until it has ended
   * @throws TaskRefusedError
   */
  spawn(
    ownerId: TaskId,
    task: TaskInput,
    onProgress?: (progress: string) => void,
  ): Promise<TaskStateBase>;
  /** Hand the progress of a live task to whoever started it. */
  report(id: TaskId, progress: string): void;
  /** Resolves when the task has ended; rejects with the signal's reason. */
  waitFor(id: TaskId, signal?: AbortSignal): Promise<TaskOutcome>;
  /** The same, and earlier with `backgrounded` if the task is moved to the background. */
  waitInForeground(id: TaskId, signal?: AbortSignal): Promise<ForegroundEnd>;
}

type TaskCommand = TaskStart | TaskKill | TaskBackground | WorkSend;

/** The tasks of one session: who asks for them, who writes them down, and what is only in the journal. */
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
  readonly bus: EventBus;
  readonly timers: TimeSource;
  /** Tasks of the processes before this one. */
  readonly earlier: readonly PastTask[];
  /** A task is about to leave memory. */
  readonly onForget?: (id: TaskId) => void;
}): SessionTasks {
  const memory = createTaskMemory(onForget);
  const pastTasks = createPastTasks(journal, memory, earlier);
  const find = (id: string): TaskStateBase | undefined =>
    memory.tasks.get(id as TaskId) ?? pastTasks.find(id)?.state; // a text that is no id finds nothing
  const waiters = createTaskWaiters(find);
  const starts = createTaskStarts();
  const listeners = new Map<TaskId, (progress: string) => void>();
  const listenUntilEnd = async (id: TaskId, started: Promise<unknown>): Promise<void> => {
    await started.then(
      () => waiters.waitFor(id),
      () => {}, // it was refused
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
      report: (id, progress) => listeners.get(id)?.(progress),
      waitFor: waiters.waitFor,
      waitInForeground: waiters.waitInForeground,
    },
  };
}
