import type { Failure } from './failure.js';
import type { TaskId } from './ids.js';
import type { KeptWorktree } from './worktree.js';

export const TASK_TYPES = [
  'local_bash',
  'local_agent',
  'remote_agent',
  'in_process_teammate',
  'local_workflow',
  'local_tool',
  'monitor_mcp',
  'dream',
] as const;
/** What works for a task. */
export type TaskType = (typeof TASK_TYPES)[number];

/** What the task machine runs: the task types, and a session, which has the same lifecycle. */
export type TaskKind = TaskType | 'session';

export const TASK_STATUSES = ['pending', 'running', 'completed', 'failed', 'killed'] as const;
/** What a task is doing. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Whether a task has ended. A status that has ended never changes again. */
export function isTerminalTaskStatus(
  status: TaskStatus,
): status is 'completed' | 'failed' | 'killed' {
  return status === 'completed' || status === 'failed' || status === 'killed';
}

/** How a task ended. A failed task is an outcome, not a crashed actor. */
export type TaskOutcome =
  | {
      readonly status: 'completed';
      /** What the work returned. */
      readonly result: unknown;
    }
  | {
      readonly status: 'failed';
      /** What went wrong, as data. */
      readonly failure: Failure;
    }
  | {
      readonly status: 'killed';
      /** Who killed the task, or why. */
      readonly reason: string;
    };

/** How the work of a task ended; the task itself says whether that counts (the first reason to end wins). */
export type WorkOutcome = Exclude<TaskOutcome, { status: 'killed' }>;

/** What whoever waits for a task in the foreground learns: how it ended, or that it goes on without being waited for. */
export type ForegroundEnd = TaskOutcome | { readonly status: 'backgrounded' };

/** What is shown of every task, whatever its kind. Times in epoch ms. */
export type TaskStateBase = {
  /** ID of the task. */
  readonly id: TaskId;
  /** What works: an agent, a command, a workflow, a tool. */
  readonly type: TaskKind;
  /** What the task is doing now. */
  readonly status: TaskStatus;
  /** What the task does, in a few words for people. */
  readonly description: string;
  /** Tool call that started the task. */
  readonly toolUseId?: string;
  /** Task that started it; absent for a session. */
  readonly parentId?: TaskId;
  /** When the task began, epoch ms. */
  readonly startTime: number;
  /** When the task ended, epoch ms. */
  readonly endTime?: number;
  /** How long the task was paused, ms. */
  readonly totalPausedMs?: number;
  /** The file that the task's output is streamed to. */
  readonly outputFile: string;
  /** How many bytes of it were already taken by a reader. */
  readonly outputOffset: number;
  /** The owner was told of the end. Never goes back. */
  readonly notified: boolean;
  /** False while somebody waits for the task in the foreground. */
  readonly isBackgrounded?: boolean;
  /** How the task ended. */
  readonly outcome?: TaskOutcome;
  /** The git worktree that its agent has left, since there is work in it. */
  readonly worktree?: KeptWorktree;
};

/** Pending or running, and nobody waits for it in the foreground. */
export function isBackgroundTask(task: Pick<TaskStateBase, 'status' | 'isBackgrounded'>): boolean {
  return !isTerminalTaskStatus(task.status) && task.isBackgrounded !== false;
}
