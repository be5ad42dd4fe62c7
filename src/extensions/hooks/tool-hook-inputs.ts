import type { Effort } from '../../core/agents/agent-definition.js';
import type { PermissionUpdate } from '../../core/permission-types.js';

/** The fields that hooks of all events get; a command gets its input as JSON on stdin. Names are those of Claude Code. */
export type HookInputBase = {
  /** UUID of the session, for `resume`. */
  readonly session_id: string;
  /** UUID of the newest prompt; absent before the first one. */
  readonly prompt_id?: string;
  /** Journal file of the agent, one JSON object a line. */
  readonly transcript_path: string;
  /** Folder that the session works in. */
  readonly cwd: string;
  /** Permission mode of the agent. */
  readonly permission_mode: string;
  /** How much the model thinks; for events of tool calls and of the end of a turn, if somebody has chosen it. */
  readonly effort?: {
    /** The level that requests have. */
    readonly level: Effort;
  };
  /** Task ID of a sub-agent; absent for the main agent. */
  readonly agent_id?: string;
  /** Name of the agent's definition; absent for a main agent without one. */
  readonly agent_type?: string;
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

/** Input of a hook after the classifier of the mode `auto` denied a tool call. */
export type PermissionDeniedHookInput = ToolHookInput & {
  readonly hook_event_name: 'PermissionDenied';
  /** Why it was denied. */
  readonly reason: string;
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

/** A tool call of a batch, for hooks. */
export type PostToolBatchToolCall = {
  /** Name of the tool. */
  readonly tool_name: string;
  /** Input of the call as the model wrote it. */
  readonly tool_input: unknown;
  /** `id` of the `tool_use` block that made the call. */
  readonly tool_use_id: string;
  /** Content of the result that the model reads. */
  readonly tool_response: unknown;
};

/** Input of a hook after all tool calls of a reply. */
export type PostToolBatchHookInput = HookInputBase & {
  readonly hook_event_name: 'PostToolBatch';
  /** The calls, in the order of the reply. */
  readonly tool_calls: readonly PostToolBatchToolCall[];
};
