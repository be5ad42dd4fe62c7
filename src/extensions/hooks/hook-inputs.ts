import type { PermissionUpdate } from '../../core/permission-types.js';

/** The fields that hooks of all events get; a command gets its input as JSON on stdin. Names are those of Claude Code. */
export type HookInputBase = {
  /** UUID of the session, for `resume`. */
  readonly session_id: string;
  /** Journal file of the agent, one JSON object a line. */
  readonly transcript_path: string;
  /** Folder that the session works in. */
  readonly cwd: string;
  /** Permission mode of the agent. */
  readonly permission_mode: string;
  /** Task ID of a sub-agent; absent for the main agent. */
  readonly agent_id?: string;
  /** Name of the agent's definition; `main` for a main agent without one. */
  readonly agent_type: string;
};

/** The fields of hooks for a tool call. */
export type ToolHookInput = HookInputBase & {
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly tool_name: string;
  /** Input of the call, parsed by the schema of the tool. */
  readonly tool_input: Readonly<Record<string, unknown>>;
  /** `id` of the `tool_use` block that made the call. */
  readonly tool_use_id: string;
};
/** Input of a hook before a tool call is judged. */
export type PreToolUseHookInput = ToolHookInput & { readonly hook_event_name: 'PreToolUse' };
/** Input of a hook while a permission request waits for its approvers. */
export type PermissionRequestHookInput = ToolHookInput & {
  readonly hook_event_name: 'PermissionRequest';
  /** Updates that would let the same call pass without a request. */
  readonly permission_suggestions: readonly PermissionUpdate[];
};
/** Input of a hook after a tool call that succeeded. */
export type PostToolUseHookInput = ToolHookInput & {
  readonly hook_event_name: 'PostToolUse';
  /** The output of the tool, in its own shape. */
  readonly tool_response: unknown;
  /** Milliseconds that the tool ran. */
  readonly duration_ms: number;
};
/** Input of a hook after a tool call that failed. */
export type PostToolUseFailureHookInput = ToolHookInput & {
  readonly hook_event_name: 'PostToolUseFailure';
  /** The error that the model reads. */
  readonly error: string;
  /** True: the call was cancelled while it ran. */
  readonly is_interrupt: boolean;
  /** Milliseconds that the tool ran. */
  readonly duration_ms: number;
};

/** Input of a hook when a person is needed. */
export type NotificationHookInput = HookInputBase & {
  readonly hook_event_name: 'Notification';
  /** Text of the notification. */
  readonly message: string;
  /** Heading of the notification. */
  readonly title?: string;
  /** Kind of the notification: `permission_prompt`. */
  readonly notification_type: string;
};
/** Input of a hook before the main agent gets a prompt. */
export type UserPromptSubmitHookInput = HookInputBase & {
  readonly hook_event_name: 'UserPromptSubmit';
  /** Text of the prompt. */
  readonly prompt: string;
};
/** Input of a hook when a session begins, is resumed or compacted. */
export type SessionStartHookInput = HookInputBase & {
  readonly hook_event_name: 'SessionStart';
  /** Why: a new session, one that is resumed, a fork of one, or a compacted conversation. */
  readonly source: 'startup' | 'resume' | 'fork' | 'clear' | 'compact';
  /** ID of the model of the main agent. */
  readonly model: string;
};
/** Input of a hook when a session ends. */
export type SessionEndHookInput = HookInputBase & {
  readonly hook_event_name: 'SessionEnd';
  /** Why it ends: always `other`. */
  readonly reason: 'other';
};
/** Input of a hook before a conversation is compacted. */
export type PreCompactHookInput = HookInputBase & {
  readonly hook_event_name: 'PreCompact';
  /** Whether somebody asked for it, or the window is full. */
  readonly trigger: 'manual' | 'auto';
  /** Instructions for the summary; null if there are none. */
  readonly custom_instructions: string | null;
};
/** Input of a hook after a conversation was compacted. */
export type PostCompactHookInput = HookInputBase & {
  readonly hook_event_name: 'PostCompact';
  /** Whether somebody asked for it, or the window was full. */
  readonly trigger: 'manual' | 'auto';
  /** Text that replaces the conversation. */
  readonly compact_summary: string;
};
/** Input of a hook after the folder of an agent has changed. */
export type CwdChangedHookInput = HookInputBase & {
  readonly hook_event_name: 'CwdChanged';
  /** Folder before the change. */
  readonly old_cwd: string;
  /** Folder of the next command. */
  readonly new_cwd: string;
};
/** Input of a hook after the classifier of the mode `auto` denied a tool call. */
export type PermissionDeniedHookInput = ToolHookInput & {
  readonly hook_event_name: 'PermissionDenied';
  /** Why it was denied. */
  readonly reason: string;
};
/** Input of a hook before the first request of a sub-agent. */
export type SubagentStartHookInput = HookInputBase & {
  readonly hook_event_name: 'SubagentStart';
  /** Task ID of the sub-agent. */
  readonly agent_id: string;
};
/** Input of a hook before the main agent ends its turn. */
export type StopHookInput = HookInputBase & {
  readonly hook_event_name: 'Stop';
  /** True: a hook has kept the agent working since its newest prompt. */
  readonly stop_hook_active: boolean;
  /** Text of the newest reply. */
  readonly last_assistant_message: string;
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

/** Input of a hook. */
export type HookInput =
  | PreToolUseHookInput
  | PermissionRequestHookInput
  | PostToolUseHookInput
  | PostToolUseFailureHookInput
  | UserPromptSubmitHookInput
  | SessionStartHookInput
  | SessionEndHookInput
  | PreCompactHookInput
  | PostCompactHookInput
  | NotificationHookInput
  | CwdChangedHookInput
  | PermissionDeniedHookInput
  | SubagentStartHookInput
  | StopHookInput
  | SubagentStopHookInput;

/** The input of hooks of one event. */
export type InputOf<Event extends HookInput['hook_event_name']> = Extract<
  HookInput,
  { readonly hook_event_name: Event }
>;
