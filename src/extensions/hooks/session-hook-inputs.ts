import type { HookInputBase } from './tool-hook-inputs.js';

/** Input of a hook when a session begins, is resumed or compacted. */
export type SessionStartHookInput = HookInputBase & {
  readonly hook_event_name: 'SessionStart';
  /** Why: a new session, one that is resumed, a fork of one, or a compacted conversation. */
  readonly source: 'startup' | 'resume' | 'fork' | 'clear' | 'compact';
  /** ID of the model of the main agent. */
  readonly model: string;
  /** Title of the session, if it has one. */
  readonly session_title?: string | undefined;
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
  /** Kind of the notification: `permission_prompt`, `elicitation_dialog` or `idle_prompt`. */
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

/** Input of a hook after a file of instructions was loaded. */
export type InstructionsLoadedHookInput = HookInputBase & {
  readonly hook_event_name: 'InstructionsLoaded';
  /** Absolute path of the file. */
  readonly file_path: string;
  /** Source of the instructions. */
  readonly memory_type: string;
  /** Why the file was loaded: `session_start`, `include`, `nested_traversal` or `path_glob_match`. */
  readonly load_reason: 'session_start' | 'include' | 'nested_traversal' | 'path_glob_match';
  /** Patterns of the files that a rule is about. */
  readonly globs?: readonly string[];
  /** The file whose use has loaded this one. */
  readonly trigger_file_path?: string;
  /** The file that imports this one. */
  readonly parent_file_path?: string;
};
/** Input of a hook when the main agent has said a text. */
export type MessageDisplayHookInput = HookInputBase & {
  readonly hook_event_name: 'MessageDisplay';
  /** UUID of the newest prompt. */
  readonly turn_id: string;
  /** UUID of the message. */
  readonly message_id: string;
  /** Always 0: a message comes whole. */
  readonly index: number;
  /** Always true. */
  readonly final: boolean;
  /** Text of the message. */
  readonly delta: string;
};
/** Input of a hook after a folder was added to a running session. */
export type DirectoryAddedHookInput = HookInputBase & {
  readonly hook_event_name: 'DirectoryAdded';
  /** Absolute path of the folder. */
  readonly directory: string;
  /** Always `register_repo_root`: a program or a client has added it. */
  readonly source: 'register_repo_root';
};
/** Input of a hook after a file of settings has changed. */
export type ConfigChangeHookInput = HookInputBase & {
  readonly hook_event_name: 'ConfigChange';
  /** Kind of the file: `user_settings`, `project_settings`, `local_settings`, `policy_settings` or `skills`. */
  readonly source:
    'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';
  /** Absolute path of the file. */
  readonly file_path: string;
};
/** Input of a hook after a watched file has changed. */
export type FileChangedHookInput = HookInputBase & {
  readonly hook_event_name: 'FileChanged';
  /** Absolute path of the file. */
  readonly file_path: string;
  /** Kind of the change: `add`, `change` or `unlink`. */
  readonly event: 'add' | 'change' | 'unlink';
};
/** Input of a hook that prepares a folder. */
export type SetupHookInput = HookInputBase & {
  readonly hook_event_name: 'Setup';
  /** The flag: `init` for `--init` and `--init-only`, `maintenance` for `--maintenance`. */
  readonly trigger: 'init' | 'maintenance';
};
/** Input of a hook that makes a worktree. */
export type WorktreeCreateHookInput = HookInputBase & {
  readonly hook_event_name: 'WorktreeCreate';
  /** Name of the worktree. */
  readonly name: string;
};
/** Input of a hook that removes a worktree. */
export type WorktreeRemoveHookInput = HookInputBase & {
  readonly hook_event_name: 'WorktreeRemove';
  /** Absolute path of the worktree. */
  readonly worktree_path: string;
};
type ModelSwitchFacts = {
  /** ID of the present model. */
  readonly from_model: string;
  /** ID of the next model. */
  readonly to_model: string;
  /** The name that was asked for; null for the first model. */
  readonly requested_model: string | null;
  /** Tokens that the next request sends again; 0 before the first reply. */
  readonly context_tokens: number;
  /** Whether the API probably still has the prompt in the cache of the present model. */
  readonly prompt_cache_warm: boolean;
  /** How long the API keeps a prompt. */
  readonly cache_ttl: '5m' | '1h';
  /** Cost of these tokens in the cache of the next model, US dollars; null if its price is not known. */
  readonly estimated_cache_write_usd: number | null;
  /** Origin of the price: a setting, the public list, or none. */
  readonly pricing: 'configured' | 'catalog' | 'default';
};

/** Input of a hook before the main agent gets another model. */
export type PreModelSwitchHookInput = HookInputBase &
  ModelSwitchFacts & {
    readonly hook_event_name: 'PreModelSwitch';
    /** Always `sdk`: a person or a program has asked. */
    readonly source: 'sdk';
  };
/** Input of a hook after the main agent has got another model. */
export type PostModelSwitchHookInput = HookInputBase &
  ModelSwitchFacts & {
    readonly hook_event_name: 'PostModelSwitch';
    /** ID of the model before. */
    readonly from_model: string;
    /** ID of the model now. */
    readonly to_model: string;
    /** `sdk`: a person or a program has asked. `auto`: the model was overloaded. */
    readonly source: 'sdk' | 'auto';
  };

/** Input of a hook before a person sees a question of an MCP server. */
export type ElicitationHookInput = HookInputBase & {
  readonly hook_event_name: 'Elicitation';
  /** Name of the server. */
  readonly mcp_server_name: string;
  /** The question. */
  readonly message: string;
  /** Whether the answer is a form, or a page that a person opens. */
  readonly mode: 'form' | 'url';
  /** The page. */
  readonly url?: string;
  /** The server's own ID for the question. */
  readonly elicitation_id?: string;
  /** JSON schema of the form. */
  readonly requested_schema?: Readonly<Record<string, unknown>>;
};
/** Input of a hook before a server gets the answer to its question. */
export type ElicitationResultHookInput = HookInputBase & {
  readonly hook_event_name: 'ElicitationResult';
  /** Name of the server. */
  readonly mcp_server_name: string;
  /** Whether the answer is a form, or a page that a person opens. */
  readonly mode: 'form' | 'url';
  /** The server's own ID for the question. */
  readonly elicitation_id?: string;
  /** The answer. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** Values of the form. */
  readonly content?: Readonly<Record<string, unknown>>;
};
