import type {
  PreToolUseHookInput,
  PermissionRequestHookInput,
  PermissionDeniedHookInput,
  PostToolUseHookInput,
  PostToolUseFailureHookInput,
  PostToolBatchHookInput,
} from './tool-hook-inputs.js';
import type {
  UserPromptSubmitHookInput,
  UserPromptExpansionHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
  StopFailureHookInput,
  TeammateIdleHookInput,
  TaskCreatedHookInput,
  TaskCompletedHookInput,
} from './turn-hook-inputs.js';
import type {
  SessionStartHookInput,
  SessionEndHookInput,
  PreCompactHookInput,
  PostCompactHookInput,
  NotificationHookInput,
  CwdChangedHookInput,
  InstructionsLoadedHookInput,
  MessageDisplayHookInput,
  DirectoryAddedHookInput,
  ConfigChangeHookInput,
  FileChangedHookInput,
  SetupHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
  PreModelSwitchHookInput,
  PostModelSwitchHookInput,
  ElicitationHookInput,
  ElicitationResultHookInput,
} from './session-hook-inputs.js';

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
  | InstructionsLoadedHookInput
  | MessageDisplayHookInput
  | DirectoryAddedHookInput
  | ConfigChangeHookInput
  | FileChangedHookInput
  | SetupHookInput
  | WorktreeCreateHookInput
  | WorktreeRemoveHookInput
  | PreModelSwitchHookInput
  | PostModelSwitchHookInput
  | ElicitationHookInput
  | ElicitationResultHookInput
  | PostToolBatchHookInput
  | StopFailureHookInput
  | TeammateIdleHookInput
  | TaskCreatedHookInput
  | TaskCompletedHookInput
  | UserPromptExpansionHookInput
  | PermissionDeniedHookInput
  | SubagentStartHookInput
  | StopHookInput
  | SubagentStopHookInput;

/** The input of hooks of one event. */
export type InputOf<Event extends HookInput['hook_event_name']> = Extract<
  HookInput,
  { readonly hook_event_name: Event }
>;
