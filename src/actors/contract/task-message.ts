import type { TaskStatus } from '../../core/task-types.js';

/** The work of a sub-agent so far, with everything below it. */
export type TaskWork = {
  /** Tokens of all requests and replies. */
  readonly total_tokens: number;
  /** Tool calls of the sub-agent itself. */
  readonly tool_uses: number;
  /** Time since it began, ms. */
  readonly duration_ms: number;
};

/** A live task in the background. */
export type BackgroundTask = {
  /** ID of the task, for `stopTask`. */
  readonly task_id: string;
  /** Kind of the task, such as `local_agent` or `local_bash`. */
  readonly task_type: string;
  /** The work of the task, in a few words for people. */
  readonly description: string;
  /** Type of the agent, if the task is an agent. */
  readonly subagent_type?: string;
  /** Task that started it; absent if the main agent did. */
  readonly parent_task_id?: string;
};

/** A message about a task below the session: a sub-agent, a command in the background. */
export type TaskMessage =
  | {
      readonly type: 'system';
      readonly subtype: 'task_started';
      /** ID of the new task, for `stopTask`. */
      readonly task_id: string;
      /** Tool call that started the task. */
      readonly tool_use_id?: string;
      /** The work of the task, in a few words for people. */
      readonly description: string;
      /** Type of the agent, if the task is an agent. */
      readonly subagent_type?: string;
      /** Kind of the task, such as `local_agent` or `local_bash`. */
      readonly task_type: string;
      /** Task that started it; absent if the main agent did. */
      readonly parent_task_id?: string;
      /** Levels below the session: 1 for a task of the main agent. */
      readonly spawn_depth: number;
      /** False while a tool call waits for the task. */
      readonly is_backgrounded: boolean;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'task_updated';
      /** ID of the task that changed. */
      readonly task_id: string;
      /** The fields that have a new value. */
      readonly patch: {
        /** `pending`, `running`, `completed`, `failed` or `killed`. */
        readonly status: TaskStatus;
        /** When the task ended, epoch ms. */
        readonly end_time?: number;
        /** Why the task failed. */
        readonly error?: string;
        /** The task moved to the background. */
        readonly is_backgrounded?: true;
      };
    }
  | {
      readonly type: 'system';
      /** A sub-agent calls a tool. */
      readonly subtype: 'task_progress';
      /** ID of the sub-agent's task. */
      readonly task_id: string;
      /** Tool call that started the task. */
      readonly tool_use_id?: string;
      /** The work of the task, in a few words for people. */
      readonly description: string;
      /** Type of the agent. */
      readonly subagent_type?: string;
      /** The work so far. */
      readonly usage: TaskWork;
      /** Name of the tool. */
      readonly last_tool_name: string;
    }
  | {
      readonly type: 'system';
      /** Told at most once a second, with the whole list. */
      readonly subtype: 'background_tasks_changed';
      /** All live tasks in the background. */
      readonly tasks: readonly BackgroundTask[];
    }
  | {
      readonly type: 'system';
      readonly subtype: 'task_notification';
      /** ID of the task that ended. */
      readonly task_id: string;
      /** Tool call that started the task. */
      readonly tool_use_id?: string;
      /** `stopped`: the task was killed. */
      readonly status: 'completed' | 'failed' | 'stopped';
      /** Absolute path of the file with the output of the task. It may be missing if there was no output. */
      readonly output_file: string;
      /** The result as text, or why the task failed or was stopped. */
      readonly summary: string;
      /** The whole work, if the task is an agent. */
      readonly usage?: TaskWork;
    };
