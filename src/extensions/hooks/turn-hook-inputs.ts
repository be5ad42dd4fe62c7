import type { HookInputBase } from './tool-hook-inputs.js';

/** Input of a hook before the main agent gets a prompt. */
export type UserPromptSubmitHookInput = HookInputBase & {
  readonly hook_event_name: 'UserPromptSubmit';
  /** Text of the prompt. */
  readonly prompt: string;
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

/** Input of a hook before the main agent ends its turn. */
export type StopHookInput = HookInputBase & {
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
};

/** Input of a hook before a sub-agent ends. */
export type SubagentStopHookInput = HookInputBase & {
  readonly hook_event_name: 'SubagentStop';
  /** True: a hook has kept the agent working since its newest prompt. */
  readonly stop_hook_active: boolean;
  /** Task ID of the sub-agent. */
  readonly agent_id: string;
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
