import type { HookOutput } from '../../extensions/hooks/hook-output.js';
import type { HookEvent as Event } from '../../settings/schema/hook-events.js';
import type { HookInputBase } from '../../extensions/hooks/tool-hook-inputs.js';
import type { HookCallback, HookMatcher } from '../../extensions/hooks/hook-types.js';

/** Names of hook events in the Claude Agent SDK. */
export type HookEvent = Event;
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
export type BaseHookInput = HookInputBase;
