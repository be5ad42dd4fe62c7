import type { PermissionUpdate } from '../../core/permission-types.js';
import type { HookOutput } from './hook-output.js';
import type { CommandHook } from '../../settings/hooks-settings.js';

/** The input of every hook; a command gets it as JSON on stdin. Names are those of Claude Code's hooks. */
type HookInputBase = {
  /** UUID of the session, for `resume`. */
  readonly session_id: string;
  /** Journal file of the agent, one JSON object a line. */
  readonly transcript_path: string;
  /** Folder that the session works in. */
  readonly cwd: string;
  /** Permission mode of the agent that makes the call. */
  readonly permission_mode: string;
  /** Task ID of a sub-agent; absent for the main agent. */
  readonly agent_id?: string;
  /** Name of the agent's definition; `main` for a main agent without one. */
  readonly agent_type: string;
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly tool_name: string;
  /** Input of the call, parsed by the schema of the tool. */
  readonly tool_input: Readonly<Record<string, unknown>>;
  /** `id` of the `tool_use` block that made the call. */
  readonly tool_use_id: string;
};
/** Input of a hook before a tool call is judged. */
export type PreToolUseHookInput = HookInputBase & { readonly hook_event_name: 'PreToolUse' };
/** Input of a hook while a permission request waits for its approvers. */
export type PermissionRequestHookInput = HookInputBase & {
  readonly hook_event_name: 'PermissionRequest';
  /** Updates that would let the same call pass without a request. */
  readonly permission_suggestions: readonly PermissionUpdate[];
};
/** Input of a hook. */
export type HookInput = PreToolUseHookInput | PermissionRequestHookInput;

/** The rest of what a hook from code gets. */
export type HookCallbackOptions = {
  /** Aborts when the output of the hook is not needed any more. */
  readonly signal: AbortSignal;
};

/** A hook from code. Nothing, or an empty object, is no opinion. */
export type HookCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  options: HookCallbackOptions,
) => Promise<HookOutput | undefined>;

/** Hooks for the tools that a matcher names; for all tools if it is absent. */
export type HookMatcher = {
  /** Names with `|` between them, or a regular expression. */
  readonly matcher?: string;
  /** Functions and commands to run, all at the same time. */
  readonly hooks: readonly (HookCallback | CommandHook)[];
  /** Seconds that each callback may take; 600 if absent. */
  readonly timeout?: number;
  /**
   * A hook that fails (it throws, is too late, or says something that cannot be read) is reported, and the tool call goes
   * ahead (`continue`, the default) or is denied (`block`).
   */
  readonly onFailure?: 'continue' | 'block';
  /** Origin of the hooks, for people. */
  readonly source?: string;
};

/** Hooks by event. */
export type Hooks = {
  /** Run before a tool call is judged. The strictest output counts: deny, then ask, then allow. */
  readonly PreToolUse?: readonly HookMatcher[];
  /** Run while a permission request waits for its approvers. The first decision counts. */
  readonly PermissionRequest?: readonly HookMatcher[];
};
