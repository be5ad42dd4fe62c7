import type { Effort } from '../../core/agents/agent-definition.js';
import type { PluginFields } from '../../core/commands/plugin.js';
import type { AssistantBlock, OpaqueBlock, UserMessage } from '../../core/messages.js';
import type { PermissionMode } from '../../core/permission-types.js';
import type { Usage } from '../../core/tasks/usage.js';
import type { ApiErrorKind } from './api-error.js';
import type { CommandMessage } from './command-message.js';
import type { TaskMessage } from './task-message.js';
import type { ResultMessage } from './result-message.js';
import type { StreamEvent } from '../../model/anthropic/stream-event.js';

/** Fields of every message of the stream. */
type Head = {
  /** Unique for each message; the replay of a prompt has the prompt's own UUID. */
  readonly uuid: string;
  /** UUID of the session, for `resume`. */
  readonly session_id: string;
};

/**
 * The message stream of a session, as clients of the stream-json contract know it: `system/init` first, `result` last.
 * Names are the contract's.
 */
export type SessionMessage = Head & SessionMessageBody;

/** A block of a reply. Blocks of unknown kinds are passed on unchanged. */
export type ToldBlock = Exclude<AssistantBlock, OpaqueBlock>;

/** The sub-agent that a message is from; the main agent has none of these. */
export type Speaker = {
  /** Task ID of the sub-agent. */
  readonly agent_id?: string;
  /** Type of the sub-agent. */
  readonly subagent_type?: string;
  /** Work of the sub-agent, in a few words for people. */
  readonly task_description?: string;
};

/** A message without the fields of every message. */
export type SessionMessageBody =
  | (PluginFields & {
      readonly type: 'system';
      readonly subtype: 'init';
      /** Folder that the session works in, absolute. */
      readonly cwd: string;
      /** Names of the main agent's tools. */
      readonly tools: readonly string[];
      /** MCP servers, and how their connections are when the message is made. */
      readonly mcp_servers: readonly {
        /** Key of the server in `mcpServers`. */
        readonly name: string;
        /** `pending`, `connected`, `failed` or `disabled`. */
        readonly status: string;
      }[];
      /** Model of the main agent, as it was named: an ID or an alias. */
      readonly model: string;
      /** Permission mode when the session starts. */
      readonly permissionMode: PermissionMode;
      /** Commands that a prompt may be, without the slash. */
      readonly slash_commands: readonly string[];
      /** Types of agents that can be started. */
      readonly agents: readonly string[];
      /** Names of the skills of files named `SKILL.md`. */
      readonly skills: readonly string[];
      /** Environment variable that has the key; `none` if there is no key. */
      readonly apiKeySource: string;
      /** Name of the output style of the main agent. */
      readonly output_style: string;
      /** The Claude Code whose stream-json messages these are like. It is not the version of Troupe. */
      readonly claude_code_version: string;
      /** How much the main agent thinks; null for the model's default. */
      readonly effort: Effort | null;
      /** Always empty. */
      readonly capabilities: readonly string[];
    })
  | (Speaker & {
      readonly type: 'assistant';
      /** One block of a reply, as a message of the Messages API. */
      readonly message: {
        /** ID that the API gave the reply: the same in the messages of all its blocks. */
        readonly id: string;
        readonly type: 'message';
        readonly role: 'assistant';
        /** ID of the model that replied: with a fallback, not the one of `init`. */
        readonly model: string;
        /** The block, alone. */
        readonly content: readonly ToldBlock[];
        /** Why the reply ended; null if that is not known yet. */
        readonly stop_reason: string | null;
        /** Always null: no request has stop sequences. */
        readonly stop_sequence: null;
        /** Tokens of the request and of the reply so far. */
        readonly usage: Usage;
      };
      /** The `Agent` tool call that started the agent; null for the main agent. */
      readonly parent_tool_use_id: string | null;
      /** When the block was complete, as ISO 8601. */
      readonly timestamp: string;
    })
  | (Speaker & {
      readonly type: 'user';
      /** A tool result, a prompt, a notification or a message of another agent. */
      readonly message: UserMessage;
      /** The `Agent` tool call that started the agent that gets it; null for the main agent. */
      readonly parent_tool_use_id: string | null;
      /** When the message became part of the conversation, as ISO 8601. */
      readonly timestamp: string;
      /** Present if nobody typed it: a notification, a message of another agent, or a reminder. */
      readonly isSynthetic?: true;
      /** A prompt of the session itself; its `uuid` is the one that the client gave. */
      readonly isReplay?: true;
      /**
       * Return value of the tool, of at most 64 KiB as JSON. Only here: not in the journal. Absent for an error and for
       * a result of an earlier process.
       */
      readonly tool_use_result?: unknown;
    })
  | {
      readonly type: 'stream_event';
      /** Event of a reply that is still arriving, as the Messages API sends it. */
      readonly event: StreamEvent;
      /** The `Agent` tool call that started the agent; null for the main agent. */
      readonly parent_tool_use_id: string | null;
    }
  | {
      readonly type: 'system';
      /** The reader is slow: `stream_event` and `tool_progress` messages were left out here. */
      readonly subtype: 'messages_left_out';
      /** How many messages were left out, at least 1. */
      readonly count: number;
    }
  | {
      readonly type: 'tool_progress';
      /** ID of the tool call that is running. */
      readonly tool_use_id: string;
      /** Name of the tool. */
      readonly tool_name: string;
      /** The `Agent` tool call that started the agent; null for the main agent. */
      readonly parent_tool_use_id: string | null;
      /** Seconds since the model asked for the call. */
      readonly elapsed_time_seconds: number;
      /** Progress in words, such as `2 of 5: reading`, if the tool reports numbers. */
      readonly progress?: string;
    }
  | TaskMessage
  | {
      readonly type: 'system';
      readonly subtype: 'api_retry';
      /** Number of the attempt that failed, from 1. */
      readonly attempt: number;
      /** After this many retries the request fails. */
      readonly max_retries: number;
      /** Wait before the retry, ms. */
      readonly retry_delay_ms: number;
      /** HTTP status of the failed request; null if there was no response. */
      readonly error_status: number | null;
      /** Kind of the error. */
      readonly error: ApiErrorKind;
      /** The error, in words for a person. */
      readonly message: string;
    }
  | CommandMessage
  | {
      readonly type: 'system';
      /** Sent if `CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS` is set. */
      readonly subtype: 'session_state_changed';
      /** `running` when a turn begins, `requires_action` while a permission request waits, `idle` after the result. */
      readonly state: 'idle' | 'running' | 'requires_action';
    }
  | {
      readonly type: 'rate_limit_event';
      /** Facts of the limit. */
      readonly rate_limit_info: {
        /** The request was refused. */
        readonly status: 'rejected';
        /** The time of the reset, epoch seconds; absent if the endpoint does not report it. */
        readonly resetsAt?: number;
      };
      /** Which limit was reached, and until when if the endpoint reports it. */
      readonly message: string;
      /** After a `warning` Troupe waits and tries again, after an `error` it does not. */
      readonly severity: 'warning' | 'error';
    }
  | {
      readonly type: 'system';
      /** A hook begins to run. Sent with `includeHookEvents`. */
      readonly subtype: 'hook_started';
      /** ID of the run: the same in its `hook_response`. */
      readonly hook_id: string;
      /** Event of the hook, such as `PreToolUse`. */
      readonly hook_event: string;
      /** The command of the hook, or the name of its function. */
      readonly hook_name: string;
      /** Tool of the call that the hook runs for, if its event is one of a call. */
      readonly tool_name?: string;
    }
  | {
      readonly type: 'system';
      /** A hook has run. Without `includeHookEvents` only if it failed, or has something to say to the person. */
      readonly subtype: 'hook_response';
      /** ID of the run. */
      readonly hook_id: string;
      /** `PreToolUse` or `PermissionRequest`. */
      readonly hook_event: string;
      /** The command of the hook, or the name of its function. */
      readonly hook_name: string;
      /** Tool of the call that the hook ran for, if its event is one of a call. */
      readonly tool_name?: string;
      /** `error`: the hook failed, and its output does not count. `cancelled`: the call was stopped meanwhile. */
      readonly outcome: 'success' | 'error' | 'cancelled';
      /** Text for the person, or what went wrong; otherwise what the command printed. */
      readonly output: string;
      /** Text that the command printed, at most 10,000 characters. */
      readonly stdout: string;
      /** Text that the command wrote to stderr, at most 10,000 characters. */
      readonly stderr: string;
      /** Exit code of the command. */
      readonly exit_code?: number;
    }
  | {
      readonly type: 'system';
      /** The model refused to answer, which ends the turn. */
      readonly subtype: 'model_refusal_no_fallback';
      /** Model that refused. */
      readonly original_model: string;
      /** Always null. */
      readonly request_id: null;
      /** Category of the refusal, such as `cyber`; null if the endpoint names none. */
      readonly api_refusal_category: string | null;
      /** Explanation of the endpoint; null if it gives no explanation. */
      readonly api_refusal_explanation: string | null;
      /** The refusal, in words for a person. */
      readonly content: string;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'model_fallback';
      /** Model that did not answer. */
      readonly from: string;
      /** Model that answers until the next prompt. */
      readonly to: string;
      /** Why, in words for a person. */
      readonly reason: string;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'status';
      /** Null when the compaction is over, and if only the permission mode changed. */
      readonly status: 'compacting' | null;
      /** The permission mode of the session is another one now. */
      readonly permissionMode?: PermissionMode;
      /** The outcome of the compaction. */
      readonly compact_result?: 'success' | 'failed';
      /** Why the compaction failed. */
      readonly compact_error?: string;
      /** Task ID of a sub-agent; absent for the main agent. */
      readonly agent_id?: string;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'compact_boundary';
      /** Facts of the compaction. */
      readonly compact_metadata: {
        /** `manual`: somebody requested it. `auto`: the context window was full, or nearly. */
        readonly trigger: 'auto' | 'manual';
        /** Tokens of the conversation before. */
        readonly pre_tokens: number;
        /** Estimated tokens of the conversation after it, without system prompt and tools. */
        readonly post_tokens: number;
        /** How long it took, ms. */
        readonly duration_ms: number;
      };
      /** Task ID of a sub-agent; absent for the main agent. */
      readonly agent_id?: string;
    }
  | {
      readonly type: 'system';
      readonly subtype: 'permission_denied';
      /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
      readonly tool_name: string;
      /** `id` of the `tool_use` block that made the call. */
      readonly tool_use_id: string;
      /** Task ID of the sub-agent that made the call; absent for the main agent. */
      readonly agent_id?: string;
      /** Kind of the reason: `rule`, `mode`, `hook`, `classifier` … */
      readonly decision_reason_type: string;
      /** The reason, in words for people. */
      readonly decision_reason: string;
      /** Why, in words for the model. */
      readonly message: string;
    }
  | ResultMessage;
