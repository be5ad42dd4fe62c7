/** A process that a task runs. `pid` is also its process group. */
export type LiveProcess = {
  readonly pid: number;
  readonly taskId: string;
  readonly command: string;
  /** Epoch ms. */
  readonly startedAt: number;
};

/** One command or service, from before its start until nothing of it is left. */
export type TaskRun = {
  readonly taskId: string;
  /** Aborted to end it. */
  readonly ending: AbortController;
  /** Settles with its end. */
  settled?: Promise<unknown>;
  /** Absent before its process has started. */
  live?: LiveProcess;
};

/** The commands and services that run, and the tasks that may have left a process behind. */
export interface TaskRuns {
  add(taskId: string): TaskRun;
  remove(run: TaskRun): void;
  /** Oldest first; those of one task, or all. */
  list(taskId?: string): readonly TaskRun[];
  /** Whether anything of the task may be left. */
  mayBeLeft(taskId: string): boolean;
  /** All of the task that does not run any more is known to be gone. */
  cleared(taskId: string): void;
}

export function createTaskRuns(): TaskRuns {
  const runs = new Set<TaskRun>();
  const taskIds = new Set<string>();
  const list = (taskId?: string): readonly TaskRun[] =>
    [...runs].filter((run) => taskId === undefined || run.taskId === taskId);
  return {
    add(taskId) {
      const run: TaskRun = { taskId, ending: new AbortController() };
      taskIds.add(taskId);
      runs.add(run);
      return run;
    },
    remove: (run) => void runs.delete(run),
    list,
    mayBeLeft: (taskId) => taskIds.has(taskId),
    cleared(taskId) {
      if (list(taskId).length === 0) taskIds.delete(taskId);
    },
  };
}
