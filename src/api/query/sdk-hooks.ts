import type { HookOutput } from '../../extensions/hooks/hook-output.js';
import type { PUBLISHED_HOOK_EVENTS } from '../../settings/hooks-settings.js';
import type {
  HookCallback,
  HookMatcher,
  PreToolUseHookInput,
} from '../../extensions/hooks/hook-types.js';

/** Names of hook events in the Claude Agent SDK. Only `PreToolUse` and `PermissionRequest` are called. */
export type HookEvent = (typeof PUBLISHED_HOOK_EVENTS)[number];
/** Result of a callback. An empty object has no opinion. */
export type HookJSONOutput = HookOutput;
/** Part of a result for one event. */
type HookSpecificOutput = NonNullable<HookOutput['hookSpecificOutput']>;
/** Part of a result for `PreToolUse`. */
export type PreToolUseHookSpecificOutput = Extract<
  HookSpecificOutput,
  { hookEventName: 'PreToolUse' }
>;
/** Part of a result for `PermissionRequest`. */
export type PermissionRequestHookSpecificOutput = Extract<
  HookSpecificOutput,
  { hookEventName: 'PermissionRequest' }
>;
/** Decision of a `PreToolUse` hook. */
export type HookPermissionDecision = NonNullable<
  PreToolUseHookSpecificOutput['permissionDecision']
>;
/** Hooks for the tools that a pattern names. */
export type HookCallbackMatcher = Pick<HookMatcher, 'matcher' | 'timeout' | 'onFailure'> & {
  /** Functions to call, all at the same time. */
  readonly hooks: readonly HookCallback[];
};

/** Fields of the inputs of all events. */
export type BaseHookInput = Pick<
  PreToolUseHookInput,
  'session_id' | 'transcript_path' | 'cwd' | 'permission_mode' | 'agent_id'
> & {
  /** Name of the agent's definition. */
  readonly agent_type?: string;
};

/** For callbacks that are never called here: `query()` accepts hooks of the event with a warning. */
export type PostToolUseHookInput = BaseHookInput &
  Pick<PreToolUseHookInput, 'tool_name' | 'tool_input' | 'tool_use_id'> & {
    readonly hook_event_name: 'PostToolUse';
    /** Result of the tool, as it returned it. */
    readonly tool_response: unknown;
  };
/** For callbacks that are never called here: `query()` accepts hooks of the event with a warning. */
export type NotificationHookInput = BaseHookInput & {
  readonly hook_event_name: 'Notification';
  /** Text of the notification. */
  readonly message: string;
  /** Heading of the notification. */
  readonly title?: string;
  /** Kind of the notification. */
  readonly notification_type: string;
};
/** For callbacks that are never called here: `query()` rejects hooks of the event, because they could keep an agent going. */
export type SubagentStopHookInput = BaseHookInput & {
  readonly hook_event_name: 'SubagentStop';
  /** Whether a hook has kept the agent working before. */
  readonly stop_hook_active: boolean;
  /** Task ID of the sub-agent. */
  readonly agent_id: string;
  /** Name of the agent's definition. */
  readonly agent_type: string;
  /** Journal file of the agent. */
  readonly agent_transcript_path: string;
};
