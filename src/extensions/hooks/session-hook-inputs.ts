import type { HookInputBase } from './tool-hook-inputs.js';

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

/** Input of a hook after the folder of an agent has changed. */
export type CwdChangedHookInput = HookInputBase & {
  readonly hook_event_name: 'CwdChanged';
  /** Folder before the change. */
  readonly old_cwd: string;
  /** Folder of the next command. */
  readonly new_cwd: string;
};
