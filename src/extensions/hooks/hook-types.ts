import type { PermissionUpdate } from '../../core/permission-types.js';
import type { HookOutput } from './hook-output.js';
import type { CommandHook, HookEvent } from '../../settings/hooks-settings.js';

/** What every hook is told: to a command as JSON on stdin. Names are those that hooks of other agents know. */
type HookInputBase = {
  readonly session_id: string;
  /** The folder of the session's journal. */
  readonly transcript_path: string;
  readonly cwd: string;
  readonly permission_mode: string;
  /** The task of a sub-agent; absent for the session's own agent. */
  readonly agent_id?: string;
  readonly agent_type: string;
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
};
/** What a hook gets before a tool runs. */
export type PreToolUseHookInput = HookInputBase & { readonly hook_event_name: 'PreToolUse' };
/** What a hook gets before somebody is asked. */
export type PermissionRequestHookInput = HookInputBase & {
  readonly hook_event_name: 'PermissionRequest';
  /** Updates that would let the same call pass without a request. */
  readonly permission_suggestions: readonly PermissionUpdate[];
};
/** What a hook of permissions gets. */
export type HookInput = PreToolUseHookInput | PermissionRequestHookInput;

/** A hook from code. Nothing, or an empty object, is no opinion. Its signal aborts when nobody waits for it any more. */
export type HookCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  options: {
    /** Aborts when the hook's answer is not needed any more. */
    readonly signal: AbortSignal;
  },
) => Promise<HookOutput | undefined>;

/** Hooks for the tools that a matcher names; for all tools where it is absent. */
export type HookMatcher = {
  /** Names with `|` between them, or a regular expression. */
  readonly matcher?: string;
  /** Functions and commands to run, all at the same time. */
  readonly hooks: readonly (HookCallback | CommandHook)[];
  /** Seconds that each callback may take; 600 where absent. */
  readonly timeout?: number;
  /**
   * A hook that fails (it throws, is too late, or says something that cannot be read) is reported, and the tool call goes
   * ahead (`continue`, the default) or is denied (`block`).
   */
  readonly onFailure?: 'continue' | 'block';
  /** Where it comes from, for people. */
  readonly source?: string;
};

/** Hooks by event. */
export type Hooks = { readonly [Event in HookEvent]?: readonly HookMatcher[] };
