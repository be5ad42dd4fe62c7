import type { Failure } from './failure.js';
import type { TaskId } from './ids.js';
import type { KeptWorktree } from './worktree.js';

export const TASK_TYPES = [
  'local_bash',
  'local_agent',
  'remote_agent',
  'in_process_teammate',
  'local_workflow',
  'monitor_mcp',
  'dream',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** What the task machine runs: the seven task types, and a session, which has the same lifecycle. */
export type TaskKind = TaskType | 'session';

export const TASK_STATUSES = ['pending', 'running', 'completed', 'failed', 'killed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Whether a task has ended. A status that has ended never changes again. */
export function isTerminalTaskStatus(
  status: TaskStatus,
): status is 'completed' | 'failed' | 'killed' {
  return status === 'completed' || status === 'failed' || status === 'killed';
}

/** How a task ended. A failed task is an outcome, not a crashed actor. */
export type TaskOutcome =
  | { readonly status: 'completed'; readonly result: unknown }
  | { readonly status: 'failed'; readonly failure: Failure }
  | { readonly status: 'killed'; readonly reason: string };

/** How the work of a task ended; the task itself says whether that counts (the first reason to end wins). */
export type WorkOutcome = Exclude<TaskOutcome, { status: 'killed' }>;

/** What whoever waits for a task in the foreground learns: how it ended, or that it goes on without being waited for. */
export type ForegroundEnd = TaskOutcome | { readonly status: 'backgrounded' };

/** What is shown of every task, whatever its kind. Times in epoch ms. */
export type TaskStateBase = {
  readonly id: TaskId;
  readonly type: TaskKind;
  readonly status: TaskStatus;
  readonly description: string;
  readonly toolUseId?: string;
  readonly parentId?: TaskId;
  readonly startTime: number;
  readonly endTime?: number;
  readonly totalPausedMs?: number;
  /** The file that the task's output is streamed to. */
  readonly outputFile: string;
  /** How many bytes of it were already taken by a reader. */
  readonly outputOffset: number;
  /** The owner was told of the end. Never goes back. */
  readonly notified: boolean;
  /** False while somebody waits for the task in the foreground. */
  readonly isBackgrounded?: boolean;
  readonly outcome?: TaskOutcome;
  /** The git worktree that its agent has left, since there is work in it. */
  readonly worktree?: KeptWorktree;
};

/** Pending or running, and nobody waits for it in the foreground. */
export function isBackgroundTask(task: Pick<TaskStateBase, 'status' | 'isBackgrounded'>): boolean {
  return !isTerminalTaskStatus(task.status) && task.isBackgrounded !== false;
}
