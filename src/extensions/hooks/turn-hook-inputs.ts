import type { HookInputBase } from './tool-hook-inputs.js';

/** Input of a hook before the main agent gets a prompt. */
export type UserPromptSubmitHookInput = HookInputBase & {
  readonly hook_event_name: 'UserPromptSubmit';
  /** Text of the prompt. */
  readonly prompt: string;
  /** Title of the session, if it has one. */
  readonly session_title?: string | undefined;
};

/** Input of a hook before a skill or a command of a person becomes a prompt. */
export type UserPromptExpansionHookInput = HookInputBase & {
  readonly hook_event_name: 'UserPromptExpansion';
  /** Kind of the command. */
  readonly expansion_type: 'slash_command' | 'mcp_prompt';
  /** Name of the command, without the slash. */
  readonly command_name: string;
  /** The text behind the name. */
  readonly command_args: string;
  /** Origin of the command, such as `projectSettings`. */
  readonly command_source: string;
  /** The whole line. */
  readonly prompt: string;
};

/** A task that runs in the background, for hooks. */
export type BackgroundTaskSummary = {
  /** ID of the task. */
  readonly id: string;
  /** Kind of the work: `shell`, `subagent`, `teammate`, `workflow`, `monitor`, `cloud session`, or the name of another kind. */
  readonly type: string;
  /** `pending` or `running`. */
  readonly status: string;
  /** The work, in a few words; at most 1,000 characters and a mark. */
  readonly description: string;
  /** Line of a `shell` task; at most 1,000 characters and a mark. */
  readonly command?: string;
  /** Type of a `subagent`. */
  readonly agent_type?: string;
  /** Server of a `monitor`. */
  readonly server?: string;
  /** Tool of a `monitor`. */
  readonly tool?: string;
};

/** A scheduled prompt, for hooks. */
export type SessionCronSummary = {
  /** ID of the entry. */
  readonly id: string;
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly schedule: string;
  /** False: the entry ends with its first time. */
  readonly recurring: boolean;
  /** Text that the agent gets each time; at most 1,000 characters and a mark. */
  readonly prompt: string;
};

/** The work of a session that continues after a turn, for hooks. */
export type RemainingWork = {
  /** Tasks of the session in the background. */
  readonly background_tasks: readonly BackgroundTaskSummary[];
  /** Scheduled prompts of the session. */
  readonly session_crons: readonly SessionCronSummary[];
};

/** Input of a hook before the main agent ends its turn. */
export type StopHookInput = HookInputBase &
  RemainingWork & {
    readonly hook_event_name: 'Stop';
    /** True: a hook has kept the agent working since its newest prompt. */
    readonly stop_hook_active: boolean;
    /** Text of the newest reply. */
    readonly last_assistant_message: string;
  };

/** Input of a hook before the first request of a sub-agent. */
export type SubagentStartHookInput = HookInputBase & {
  readonly hook_event_name: 'SubagentStart';
  /** Task ID of the sub-agent. */
  readonly agent_id: string;
  /** Name of its definition. */
  readonly agent_type: string;
};

/** Input of a hook before a sub-agent ends. */
export type SubagentStopHookInput = HookInputBase &
  RemainingWork & {
    readonly hook_event_name: 'SubagentStop';
    /** True: a hook has kept the agent working since its newest prompt. */
    readonly stop_hook_active: boolean;
    /** Task ID of the sub-agent. */
    readonly agent_id: string;
    /** Name of its definition. */
    readonly agent_type: string;
    /** Journal file of the agent. */
    readonly agent_transcript_path: string;
    /** Text of the newest reply. */
    readonly last_assistant_message: string;
  };

/** Input of a hook after a model request has failed. */
export type StopFailureHookInput = HookInputBase & {
  readonly hook_event_name: 'StopFailure';
  /** Kind of the error, such as `rate_limit`. */
  readonly error: string;
  /** Text of the error. */
  readonly error_details: string;
  /** The error as people read it. */
  readonly last_assistant_message: string;
};

/** Input of a hook before a teammate is idle. */
export type TeammateIdleHookInput = HookInputBase & {
  readonly hook_event_name: 'TeammateIdle';
  /** Name of the teammate. */
  readonly teammate_name: string;
  /** Name of its team. */
  readonly team_name: string;
};

/** An item of a shared to-do list, for hooks. */
type TaskHookFields = {
  /** Number of the item in its list. */
  readonly task_id: string;
  /** The work, as an order. */
  readonly task_subject: string;
  /** Everything that the agent that does it has to know. */
  readonly task_description: string;
  /** Name of the teammate that makes the change; absent for an agent without a team. */
  readonly teammate_name?: string;
  /** Name of the team; absent for the list of the session. */
  readonly team_name?: string;
};

/** Input of a hook before an item is added to a shared to-do list. */
export type TaskCreatedHookInput = HookInputBase &
  TaskHookFields & { readonly hook_event_name: 'TaskCreated' };

/** Input of a hook before an item of a shared to-do list is completed. */
export type TaskCompletedHookInput = HookInputBase &
  TaskHookFields & { readonly hook_event_name: 'TaskCompleted' };
