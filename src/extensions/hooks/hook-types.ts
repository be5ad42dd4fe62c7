import type { HookOutput } from './hook-output.js';
import type { SettingsHook } from '../../settings/schema/hooks-settings.js';
import type { HookInput, InputOf } from './hook-inputs.js';

/** The rest of what a hook from code gets. */
export type HookCallbackOptions = {
  /** Aborts when the output of the hook is not needed any more. */
  readonly signal: AbortSignal;
};

/** A hook from code. Nothing, or an empty object, is no opinion. */
export type HookCallback<Input extends HookInput = HookInput> = (
  input: Input,
  toolUseId: string | undefined,
  options: HookCallbackOptions,
) => Promise<HookOutput | undefined>;

/** Hooks for what a matcher names, such as tools; for everything if it is absent. */
export type HookMatcher<Input extends HookInput = HookInput> = {
  /** Names with `|` between them, or a regular expression. */
  readonly matcher?: string;
  /** Functions, commands, requests and questions, all at the same time. */
  readonly hooks: readonly (HookCallback<Input> | SettingsHook)[];
  /** Seconds that each callback may take; 600 if absent. */
  readonly timeout?: number;
  /**
   * A hook that fails (it throws, is too late, or says something that cannot be read) is reported. Then it has no
   * effect (`continue`, the default), or it counts as `decision: "block"` (`block`).
   */
  readonly onFailure?: 'continue' | 'block';
  /** Origin of the hooks, for people. */
  readonly source?: string;
};

/** Hooks by event. */
export type Hooks = {
  /** Run before a tool call is judged. The strictest output counts: deny, then ask, then allow. */
  readonly PreToolUse?: readonly HookMatcher<InputOf<'PreToolUse'>>[];
  /** Run while a permission request waits for its approvers. The first decision counts. */
  readonly PermissionRequest?: readonly HookMatcher<InputOf<'PermissionRequest'>>[];
  /** Run after a tool call that succeeded. They may replace the result, and add texts for the model. */
  readonly PostToolUse?: readonly HookMatcher<InputOf<'PostToolUse'>>[];
  /** Run after a tool call that failed. They may add texts for the model. */
  readonly PostToolUseFailure?: readonly HookMatcher<InputOf<'PostToolUseFailure'>>[];
  /** Run before the main agent gets a prompt. They may block it, and add texts for the model. */
  readonly UserPromptSubmit?: readonly HookMatcher<InputOf<'UserPromptSubmit'>>[];
  /** Run before the main agent ends its turn. They may keep it working. */
  readonly Stop?: readonly HookMatcher<InputOf<'Stop'>>[];
  /** Run before a sub-agent ends. They may keep it working. */
  readonly SubagentStop?: readonly HookMatcher<InputOf<'SubagentStop'>>[];
  /** Run when a session begins, is resumed or compacted. They may add texts for the model. */
  readonly SessionStart?: readonly HookMatcher<InputOf<'SessionStart'>>[];
  /** Run when a session ends. */
  readonly SessionEnd?: readonly HookMatcher<InputOf<'SessionEnd'>>[];
  /** Run before a conversation is compacted. They may prevent it, and add to its instructions. */
  readonly PreCompact?: readonly HookMatcher<InputOf<'PreCompact'>>[];
  /** Run after a conversation was compacted. */
  readonly PostCompact?: readonly HookMatcher<InputOf<'PostCompact'>>[];
  /** Run when a permission request waits for a person. */
  readonly Notification?: readonly HookMatcher<InputOf<'Notification'>>[];
  /** Run after the classifier of the mode `auto` denied a tool call. */
  readonly PermissionDenied?: readonly HookMatcher<InputOf<'PermissionDenied'>>[];
  /** Run after all tool calls of a reply, before the next request. They may end the turn, and add texts for the model. */
  readonly PostToolBatch?: readonly HookMatcher<InputOf<'PostToolBatch'>>[];
  /** Run before a skill or a command of a person becomes a prompt. They may block it, and add texts for the model. */
  readonly UserPromptExpansion?: readonly HookMatcher<InputOf<'UserPromptExpansion'>>[];
  /** Run instead of `Stop` after a model request that failed. */
  readonly StopFailure?: readonly HookMatcher<InputOf<'StopFailure'>>[];
  /** Run before a teammate is idle. They may keep it working. */
  readonly TeammateIdle?: readonly HookMatcher<InputOf<'TeammateIdle'>>[];
  /** Run before an item is added to a shared to-do list. They may refuse it. */
  readonly TaskCreated?: readonly HookMatcher<InputOf<'TaskCreated'>>[];
  /** Run before an item of a shared to-do list is completed. They may refuse it. */
  readonly TaskCompleted?: readonly HookMatcher<InputOf<'TaskCompleted'>>[];
  /** Run before a person sees a question of an MCP server. They may answer it. */
  readonly Elicitation?: readonly HookMatcher<InputOf<'Elicitation'>>[];
  /** Run before an MCP server gets an answer. They may replace it. */
  readonly ElicitationResult?: readonly HookMatcher<InputOf<'ElicitationResult'>>[];
  /** Run after a file of instructions was loaded. */
  readonly InstructionsLoaded?: readonly HookMatcher<InputOf<'InstructionsLoaded'>>[];
  /** Run when the main agent has said a text. */
  readonly MessageDisplay?: readonly HookMatcher<InputOf<'MessageDisplay'>>[];
  /** Run after a folder was added to a running session. */
  readonly DirectoryAdded?: readonly HookMatcher<InputOf<'DirectoryAdded'>>[];
  /** Run after a file of settings or a skill has changed. They may keep the earlier version. */
  readonly ConfigChange?: readonly HookMatcher<InputOf<'ConfigChange'>>[];
  /** Run after a watched file has changed. */
  readonly FileChanged?: readonly HookMatcher<InputOf<'FileChanged'>>[];
  /** Run before a session that prepares its folder. They may add texts for the model. */
  readonly Setup?: readonly HookMatcher<InputOf<'Setup'>>[];
  /** Run in place of git when an agent gets a worktree. They give its path. */
  readonly WorktreeCreate?: readonly HookMatcher<InputOf<'WorktreeCreate'>>[];
  /** Run before a worktree is removed. */
  readonly WorktreeRemove?: readonly HookMatcher<InputOf<'WorktreeRemove'>>[];
  /** Run before the main agent gets another model. They may refuse it. */
  readonly PreModelSwitch?: readonly HookMatcher<InputOf<'PreModelSwitch'>>[];
  /** Run after the main agent has got another model. They may add texts for it. */
  readonly PostModelSwitch?: readonly HookMatcher<InputOf<'PostModelSwitch'>>[];
  /** Run after the folder of an agent has changed. */
  readonly CwdChanged?: readonly HookMatcher<InputOf<'CwdChanged'>>[];
  /** Run before the first request of a sub-agent. They may add texts for its model. */
  readonly SubagentStart?: readonly HookMatcher<InputOf<'SubagentStart'>>[];
};
