import type { HookEvent } from './hook-events.js';

/** The words for the page of hook events. No program loads them. */
type HookEventTexts = {
  /** When the hooks run. */
  readonly when: string;
  /** Fields of the input that not every event has. */
  readonly fields?: readonly string[];
  /** Effect of exit code 2 and of `decision: "block"`. */
  readonly blocks?: string;
  /** Effect of `continue: false`. */
  readonly stops?: string;
};

/** The fields of the events of another model. */
const MODEL_SWITCH = [
  'from_model',
  'to_model',
  'requested_model',
  'source',
  'context_tokens',
  'prompt_cache_warm',
  'cache_ttl',
  'estimated_cache_write_usd',
  'pricing',
] as const;

export const HOOK_EVENT_TEXTS = {
  PreToolUse: {
    when: 'before a tool call is judged',
    fields: ['tool_name', 'tool_input', 'tool_use_id'],
    blocks: 'the call is denied',
    stops: 'the call is denied, and the turn ends',
  },
  PermissionRequest: {
    when: 'while a permission request waits for its approvers',
    fields: ['tool_name', 'tool_input', 'tool_use_id', 'permission_suggestions'],
    blocks: 'the request is denied',
    stops: 'the request is denied, and the turn ends',
  },
  PostToolUse: {
    when: 'after a tool call that succeeded',
    fields: ['tool_name', 'tool_input', 'tool_use_id', 'tool_response', 'duration_ms'],
    blocks: 'the model reads the reason behind the result',
    stops: 'the turn ends',
  },
  PostToolUseFailure: {
    when: 'after a tool call that failed',
    fields: ['tool_name', 'tool_input', 'tool_use_id', 'error', 'is_interrupt', 'duration_ms'],
    blocks: 'the model reads the reason behind the error',
    stops: 'the turn ends',
  },
  PostToolBatch: {
    when: 'after all tool calls of a reply, before the next request',
    fields: ['tool_calls'],
    blocks: 'the turn ends, and the reason is its result',
    stops: 'the turn ends, and the reason is its result',
  },
  UserPromptExpansion: {
    when: 'before a skill or a command of a person becomes a prompt',
    fields: ['expansion_type', 'command_name', 'command_args', 'command_source', 'prompt'],
    blocks: 'the prompt is dropped, and the reason is the result of the turn',
    stops: 'the prompt is dropped',
  },
  UserPromptSubmit: {
    when: 'before the main agent gets a prompt',
    fields: ['prompt', 'session_title'],
    blocks: 'the prompt is dropped, and the reason is the result of the turn',
    stops: 'the prompt is dropped',
  },
  Stop: {
    when: 'before the main agent ends its turn',
    fields: ['stop_hook_active', 'last_assistant_message', 'background_tasks', 'session_crons'],
    blocks: 'it continues with the reason, at most 8 times in a row',
    stops: 'the turn ends, whatever other hooks say',
  },
  SubagentStop: {
    when: 'before a sub-agent ends',
    fields: [
      'stop_hook_active',
      'agent_id',
      'agent_type',
      'last_assistant_message',
      'agent_transcript_path',
      'background_tasks',
      'session_crons',
    ],
    blocks: 'it continues with the reason, at most 8 times in a row',
    stops: 'it ends, whatever other hooks say',
  },
  StopFailure: {
    when: 'instead of Stop, after a model request that no retry helped',
    fields: ['error', 'error_details', 'last_assistant_message'],
  },
  TeammateIdle: {
    when: 'before a teammate is idle',
    fields: ['teammate_name', 'team_name'],
    blocks: 'it continues with the reason, at most 8 times in a row',
    stops: 'the teammate ends',
  },
  TaskCreated: {
    when: 'before an item is added to a shared to-do list',
    fields: ['task_id', 'task_subject', 'task_description', 'teammate_name', 'team_name'],
    blocks: 'the item is not added, and the model reads the reason',
  },
  TaskCompleted: {
    when: 'before an item of a shared to-do list is completed',
    fields: ['task_id', 'task_subject', 'task_description', 'teammate_name', 'team_name'],
    blocks: 'the item stays as it is, and the model reads the reason',
    stops: 'the item stays as it is, and a teammate ends',
  },
  SessionStart: {
    when: 'when a session begins, is resumed or compacted',
    fields: ['source', 'model', 'session_title'],
    stops: 'the first prompt is dropped',
  },
  SessionEnd: { when: 'when a session ends; 10 s if no timeout is given', fields: ['reason'] },
  PreCompact: {
    when: 'before a conversation is compacted',
    fields: ['trigger', 'custom_instructions'],
    blocks: 'the conversation is not compacted',
    stops: 'the conversation is not compacted',
  },
  PostCompact: {
    when: 'after a conversation was compacted',
    fields: ['trigger', 'compact_summary'],
  },
  CwdChanged: {
    when: 'after a command or a worktree changed the folder of an agent; its next call waits',
    fields: ['old_cwd', 'new_cwd'],
  },
  Notification: {
    when: 'when a permission request (`permission_prompt`) or a question of an MCP server (`elicitation_dialog`) waits for a person, and when the main agent of an open session has waited a minute for a prompt (`idle_prompt`)',
    fields: ['notification_type', 'message', 'title'],
  },
  PermissionDenied: {
    when: 'after the classifier of the mode auto denied a tool call',
    fields: ['tool_name', 'tool_input', 'tool_use_id', 'reason'],
  },
  SubagentStart: {
    when: 'before the first request of a sub-agent',
    fields: ['agent_id', 'agent_type'],
  },
  InstructionsLoaded: {
    when: 'after a file of instructions was loaded, at the start or for a file that an agent uses',
    fields: [
      'file_path',
      'memory_type',
      'load_reason',
      'globs',
      'trigger_file_path',
      'parent_file_path',
    ],
  },
  DirectoryAdded: {
    when: 'after a program or a client added a folder to a running session',
    fields: ['directory', 'source'],
  },
  ConfigChange: {
    when: 'after a file of settings, or a skill, command or agent, changed; before the change has an effect',
    fields: ['source', 'file_path'],
    blocks: 'the earlier version stays in effect; not for managed settings',
  },
  FileChanged: {
    when: 'after a watched file changed: a name of the matcher in the folder of the session, or a path of `watchPaths`',
    fields: ['file_path', 'event'],
  },
  Setup: {
    when: 'before SessionStart, with `--init`, `--init-only` or `--maintenance`',
    fields: ['trigger'],
  },
  WorktreeCreate: {
    when: 'in place of git, when an agent gets a worktree; the hook gives its path',
    fields: ['name'],
    blocks: 'the worktree is not made, as with each other code than 0',
  },
  WorktreeRemove: {
    when: 'before a worktree without work is removed; for one that a hook made, in place of that',
    fields: ['worktree_path'],
  },
  PreModelSwitch: {
    when: 'before the main agent gets another model by a person or a program; the alias that was asked for matches too; 30 s if no timeout is given',
    fields: MODEL_SWITCH,
    blocks: 'the model stays, as with a hook that is too late',
    stops: 'the model stays',
  },
  PostModelSwitch: {
    when: 'after the main agent got another model; the alias that was asked for matches too',
    fields: MODEL_SWITCH,
  },
  MessageDisplay: {
    when: 'when the main agent has said a text; the text is shown as it is',
    fields: ['turn_id', 'message_id', 'index', 'final', 'delta'],
  },
  Elicitation: {
    when: 'before a person sees a question of an MCP server',
    fields: ['mcp_server_name', 'message', 'mode', 'url', 'elicitation_id', 'requested_schema'],
    blocks: 'the question is declined',
  },
  ElicitationResult: {
    when: 'before an MCP server gets the answer to its question',
    fields: ['mcp_server_name', 'mode', 'elicitation_id', 'action', 'content'],
    blocks: 'the question is declined',
  },
} as const satisfies { readonly [Event in HookEvent]: HookEventTexts };
