import type { AssistantBlock, OpaqueBlock, UserMessage } from '../../core/messages.js';
import type { PermissionMode } from '../../core/permission-types.js';
import type { Usage } from '../../core/tasks/usage.js';
import type { StreamEvent } from '../../model/stream-event.js';

/** What stands on every message of the stream. */
type Head = { readonly uuid: string; readonly session_id: string };

/**
 * The message stream of a session, as clients of the stream-json contract know it: `system/init` first, `result` last.
 * Names are the contract's.
 */
export type SessionMessage = Head & SessionMessageBody;

/** A block of a reply. Those of kinds that Troupe does not know stand there as they came. */
export type ToldBlock = Exclude<AssistantBlock, OpaqueBlock>;

/** A message without what stands on each of them. */
export type SessionMessageBody =
  | {
      readonly type: 'system';
      readonly subtype: 'init';
      readonly cwd: string;
      readonly tools: readonly string[];
      readonly mcp_servers: readonly { readonly name: string; readonly status: string }[];
      readonly model: string;
      readonly permissionMode: PermissionMode;
      readonly slash_commands: readonly string[];
      readonly agents: readonly string[];
      readonly skills: readonly string[];
      readonly plugins: readonly string[];
      readonly apiKeySource: string;
      readonly output_style: string;
      /** The Claude Code whose stream-json messages these are like. It is not the version of Troupe. */
      readonly claude_code_version: string;
      readonly capabilities: readonly string[];
    }
  | {
      readonly type: 'assistant';
      readonly message: {
        readonly id: string;
        readonly type: 'message';
        readonly role: 'assistant';
        readonly model: string;
        readonly content: readonly ToldBlock[];
        readonly stop_reason: string | null;
        readonly usage: Usage;
      };
      readonly parent_tool_use_id: string | null;
      /** When the block was complete, as ISO 8601. */
      readonly timestamp: string;
    }
  | {
      readonly type: 'user';
      readonly message: UserMessage;
      readonly parent_tool_use_id: string | null;
      /** When the message became part of the conversation, as ISO 8601. */
      readonly timestamp: string;
      /** Nobody typed it: a notification, a message of another agent, or a reminder. */
      readonly isSynthetic?: true;
      /** A prompt of the session itself; its `uuid` is the one that the client gave. */
      readonly isReplay?: true;
    }
  | {
      readonly type: 'stream_event';
      readonly event: StreamEvent;
      readonly parent_tool_use_id: string | null;
    }
  | {
      readonly type: 'system';
      /** Whoever reads is slow: so many `stream_event` and `tool_progress` messages were left out here. */
      readonly subtype: 'messages_left_out';
      readonly count: number;
    }
  | {
      readonly type: 'tool_progress';
      readonly tool_use_id: string;
      /** Absent where the use was asked for before the session was gone on with. */
      readonly tool_name?: string;
      readonly parent_tool_use_id: string | null;
      readonly elapsed_time_seconds: number;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'task_started';
      readonly task_id: string;
      readonly tool_use_id?: string;
      readonly description: string;
      readonly subagent_type?: string;
      readonly task_type: string;
      readonly parent_task_id?: string;
      readonly spawn_depth: number;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'task_updated';
      readonly task_id: string;
      readonly patch: { readonly status: string };
    }
  | {
      readonly type: 'system';
      readonly subtype: 'task_notification';
      readonly task_id: string;
      readonly tool_use_id?: string;
      readonly status: 'completed' | 'failed' | 'stopped';
      readonly output_file: string;
      readonly summary: string;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'api_retry';
      readonly attempt: number;
      readonly max_retries: number;
      readonly retry_delay_ms: number;
      readonly error_status: number | null;
      readonly error: string;
    }
  | {
      readonly type: 'system';
      /** Told if `CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS` is set: a turn begins, or its result was told. */
      readonly subtype: 'session_state_changed';
      readonly state: 'idle' | 'running';
    }
  | {
      readonly type: 'system';
      readonly subtype: 'rate_limit';
      readonly message: string;
      /** A `warning` is waited for; after an `error` it is not asked again. */
      readonly severity: 'warning' | 'error';
    }
  | {
      readonly type: 'system';
      /** A hook went wrong, or has something to say to the person. */
      readonly subtype: 'hook_response';
      readonly hook_event: string;
      readonly hook_name: string;
      readonly tool_name: string;
      readonly outcome: 'success' | 'error';
      readonly output: string;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'model_fallback';
      readonly from: string;
      readonly to: string;
      readonly reason: string;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'status';
      /** Null when it is over. */
      readonly status: 'compacting' | null;
      /** How it ended. */
      readonly compact_result?: 'success' | 'failed';
      readonly compact_error?: string;
      /** The task of a sub-agent; absent for the session's own agent. */
      readonly agent_id?: string;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'compact_boundary';
      readonly compact_metadata: {
        readonly trigger: 'auto' | 'manual';
        readonly pre_tokens: number;
      };
      readonly agent_id?: string;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'permission_denied';
      readonly tool_name: string;
      readonly tool_use_id: string;
      /** The task of the agent that was refused; absent for the session's own. */
      readonly agent_id?: string;
      readonly message: string;
    }
  | ResultMessage;

/** Tokens and cost of one model over the whole tree. */
export type ModelUsage = {
  /** Tokens of prompts that were not in the cache. */
  readonly inputTokens: number;
  /** Tokens of replies. */
  readonly outputTokens: number;
  /** Tokens of prompts read from the cache. */
  readonly cacheReadInputTokens: number;
  /** Tokens of prompts written to the cache. */
  readonly cacheCreationInputTokens: number;
  /** Web searches of the API; always 0. */
  readonly webSearchRequests: number;
  /** How many tokens a request and its reply may have together. */
  readonly contextWindow: number;
  /** Of one reply. */
  readonly maxOutputTokens: number;
  /** Null where the price is not known. */
  readonly costUSD: number | null;
};

/** Why a turn ended; `aborted_…`: it was interrupted while a reply streamed, or while tools ran. */
export type TerminalReason =
  | 'completed'
  | 'max_turns'
  | 'budget_exhausted'
  | 'structured_output_retry_exhausted'
  | 'aborted_streaming'
  | 'aborted_tools';

/** What every result says. */
type ResultBase = {
  readonly type: 'result';
  readonly duration_ms: number;
  readonly duration_api_ms: number;
  /** Requests of the session's own agent. */
  readonly num_turns: number;
  readonly stop_reason: string | null;
  /** Why the turn ended; absent for reasons that have no name here. */
  readonly terminal_reason?: TerminalReason;
  /** Over the whole tree; null if the price of a model is not known. */
  readonly total_cost_usd: number | null;
  readonly usage: Usage;
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  readonly permission_denials: readonly DeniedToolCall[];
};

/** A tool call that was denied. */
export type DeniedToolCall = {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
};

/** The agent came to its end. */
export type ResultSuccess = ResultBase & {
  readonly subtype: 'success';
  readonly is_error: false;
  /** The agent's last words. */
  readonly result: string;
  /** Only with an `outputSchema`: the answer that satisfies it; `result` is its JSON text. */
  readonly structured_output?: unknown;
};

/** The agent was stopped or failed. */
export type ResultError = ResultBase & {
  readonly subtype:
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_during_execution'
    | 'error_max_structured_output_retries';
  readonly is_error: true;
  readonly errors: readonly string[];
};

/** The end of a run, or of one prompt of a session that stays open. */
export type ResultMessage = ResultSuccess | ResultError;
