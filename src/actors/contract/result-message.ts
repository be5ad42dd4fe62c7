import type { DeferredToolUse } from '../../core/task-types.js';
import type { Usage } from '../../core/tasks/usage.js';

/** Tokens and cost of one model over the whole tree. */
export type ModelUsage = {
  /** Tokens of prompts that were not in the cache. */
  readonly inputTokens: number;
  /** Tokens of replies, thinking included. */
  readonly outputTokens: number;
  /** Tokens of prompts read from the cache. */
  readonly cacheReadInputTokens: number;
  /** Tokens of prompts written to the cache. */
  readonly cacheCreationInputTokens: number;
  /** Searches of the API's own tool, which the tool WebSearch uses. */
  readonly webSearchRequests: number;
  /** Tokens that a request and its reply may have together. */
  readonly contextWindow: number;
  /** Limit of the tokens of one reply. */
  readonly maxOutputTokens: number;
  /** US dollars; null if the price of the model is not known. */
  readonly costUSD: number | null;
};

/** Why a turn ended; `aborted_…`: it was interrupted while a reply streamed, or while tools ran. */
export type TerminalReason =
  | 'completed'
  | 'max_turns'
  | 'budget_exhausted'
  | 'structured_output_retry_exhausted'
  | 'prompt_too_long'
  | 'api_error'
  | 'hook_stopped'
  | 'stop_hook_prevented'
  | 'aborted_streaming'
  | 'aborted_tools'
  | 'tool_deferred'
  | 'tool_deferred_unavailable';

/** Fields of every result. */
type ResultBase = {
  readonly type: 'result';
  /** Time since the turn began, ms. */
  readonly duration_ms: number;
  /** Sum of the time of all model requests of the turn, ms; those of sub-agents too, so it may exceed `duration_ms`. */
  readonly duration_api_ms: number;
  /** Model requests of the main agent in this turn. */
  readonly num_turns: number;
  /**
   * Why the newest reply ended, such as `end_turn` or `max_tokens`; null if there is none. `tool_deferred`: a hook deferred
   * a tool call; `tool_deferred_unavailable`: the tool of the deferred call is not there any more.
   */
  readonly stop_reason: string | null;
  /** Number of results of this run before this one; absent if the session could not begin. */
  readonly result_index?: number;
  /** The client's ID of the newest prompt of the turn, if the client gave one. */
  readonly user_message_uuid?: string;
  /** The client's IDs of the prompts of the turn, at most 64, oldest first. */
  readonly user_message_uuids?: readonly string[];
  /** Why the turn ended; absent for reasons that have no name here. */
  readonly terminal_reason?: TerminalReason;
  /** The tool call that a hook deferred: a resume of the session continues it. */
  readonly deferred_tool_use?: DeferredToolUse;
  /** Over the whole tree; null if the price of a model is not known. */
  readonly total_cost_usd: number | null;
  /** Tokens of the session since its start, of all agents. */
  readonly usage: Usage;
  /** The same, and the cost, by ID of the model. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  /** Tool calls of this turn that were denied, of all agents. */
  readonly permission_denials: readonly DeniedToolCall[];
};

/** A tool call that was denied. */
export type DeniedToolCall = {
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly tool_name: string;
  /** `id` of the `tool_use` block that made the call. */
  readonly tool_use_id: string;
  /** Input of the call, as it was judged. */
  readonly tool_input: Readonly<Record<string, unknown>>;
};

/** The agent completed its turn. */
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
  /** Which limit was reached; `error_during_execution` for every other failure. */
  readonly subtype:
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_during_execution'
    | 'error_max_structured_output_retries';
  readonly is_error: true;
  /** The error, in words for a person. */
  readonly errors: readonly string[];
  /** HTTP status of the model request that failed; absent if none did, or no response came. */
  readonly api_error_status?: number;
};

/** The end of a run, or of one prompt of a session that stays open. */
export type ResultMessage = ResultSuccess | ResultError;
