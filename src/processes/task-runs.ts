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
  /** Ends the run when it aborts. */
  readonly ending: AbortController;
  /** Settles when the run has ended. */
  settled?: Promise<unknown>;
  /** Absent until the process has started. */
  live?: LiveProcess;
};

/** The commands and services that run, and the tasks that may have remaining processes. */
export interface TaskRuns {
  add(taskId: string): TaskRun;
  remove(run: TaskRun): void;
  /** Oldest first: the runs of one task, or all. */
  list(taskId?: string): readonly TaskRun[];
  /** Whether processes of the task may remain. */
  mayBeLeft(taskId: string): boolean;
  /** Record that no process of the task's ended runs remains. */
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
