import type { Failure } from './failure.js';
import type { TaskId } from './ids.js';
import type { KeptWorktree } from './worktree.js';

/** Every kind of work of a task. */
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
/** Kind of work of a task. */
export type TaskType = (typeof TASK_TYPES)[number];

/** A task type, or a session, which has the same lifecycle. */
export type TaskKind = TaskType | 'session';

export const TASK_STATUSES = ['pending', 'running', 'completed', 'failed', 'killed'] as const;
/** Stage of a task. `completed`, `failed` and `killed` are final. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Whether a task has ended. A status that has ended never changes again. */
export function isTerminalTaskStatus(
  status: TaskStatus,
): status is 'completed' | 'failed' | 'killed' {
  return status === 'completed' || status === 'failed' || status === 'killed';
}

/** The kill reason of a task whose parent ended by itself. */
export const OWNER_ENDED = 'owner ended';

/** A tool call that waits for the next run of its session. */
export type DeferredToolUse = {
  /** `id` of the `tool_use` block that made the call. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Input of the call, as the model wrote it. */
  readonly input: Readonly<Record<string, unknown>>;
};

/** How a task ended. A failed task is an outcome, not a crashed actor. */
export type TaskOutcome =
  | {
      readonly status: 'completed';
      /** Result of the work. */
      readonly result: unknown;
      /** A hook deferred this call: the session ended with it open, and a resume continues it. */
      readonly deferredToolUse?: DeferredToolUse;
    }
  | {
      readonly status: 'failed';
      /** The error, as data. */
      readonly failure: Failure;
    }
  | {
      readonly status: 'killed';
      /** Who killed the task, or why. */
      readonly reason: string;
    };

/** The outcome of a task's work. The task decides whether it counts: the first reason to end wins. */
export type WorkOutcome = Exclude<TaskOutcome, { status: 'killed' }>;

/** The end of a foreground wait: the outcome, or that the task moved to the background. */
export type ForegroundEnd = TaskOutcome | { readonly status: 'backgrounded' };

/** Facts of every task, whatever its kind. Times in epoch ms. */
export type TaskStateBase = {
  /** For `session.task`, `troupe kill` and `troupe logs`. */
  readonly id: TaskId;
  /** Kind of the work: an agent, a command, a workflow, a tool. */
  readonly type: TaskKind;
  /** Stage of the task; `completed`, `failed` and `killed` are final. */
  readonly status: TaskStatus;
  /** The work of the task, in a few words for people. */
  readonly description: string;
  /** Tool call that started the task. */
  readonly toolUseId?: string;
  /** The parent; absent for a session. */
  readonly parentId?: TaskId;
  /** When the task began, epoch ms. */
  readonly startTime: number;
  /** When the task ended, epoch ms. */
  readonly endTime?: number;
  /** The file that the task's output is streamed to. */
  readonly outputFile: string;
  /** Number of its bytes that a reader has taken. */
  readonly outputOffset: number;
  /** Whether the agent that started the task was notified of its end. Never false again. */
  readonly notified: boolean;
  /** False while a tool call waits for the task. */
  readonly isBackgrounded?: boolean;
  /** How the task ended. */
  readonly outcome?: TaskOutcome;
  /** The git worktree of its agent, kept because there is work in it. */
  readonly worktree?: KeptWorktree;
};

/** Whether the task is pending or running in the background. */
export function isBackgroundTask<Task extends Pick<TaskStateBase, 'status' | 'isBackgrounded'>>(
  task: Task,
): task is Task & { readonly status: 'pending' | 'running' } {
  return !isTerminalTaskStatus(task.status) && task.isBackgrounded !== false;
}
