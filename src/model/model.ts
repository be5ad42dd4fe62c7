import type { Effort } from '../core/agents/agent-definition.js';
import type { Message } from '../core/messages.js';

/** A tool as the model sees it. */
export type ModelTool = {
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly name: string;
  /** Description for the model: effect of the tool, and when to use it. */
  readonly description: string;
  /** JSON schema that the input of a call must satisfy. */
  readonly input_schema: { readonly type: 'object'; readonly [key: string]: unknown };
  /** The tool is sent, and outside the cached part, only when ToolSearch has found it. */
  readonly defer_loading?: true;
};

/** Whether and how much a model thinks: adaptive, at most a number of tokens, or not at all. */
export type ThinkingConfig =
  | { readonly type: 'adaptive' }
  | {
      readonly type: 'enabled';
      /** Most tokens of thinking in one reply. */
      readonly budgetTokens: number;
    }
  | { readonly type: 'disabled' };

/** A tool that the endpoint runs itself, with the fields of the API. */
export type ServerTool = {
  /** Type with the version, such as `web_search_20250305`. */
  readonly type: string;
  /** Name of the tool. */
  readonly name: string;
  /** Most uses in one request. */
  readonly max_uses: number;
  readonly [key: string]: unknown;
};

/** One model request, independent of the provider: cache marks and transport belong to the implementation. */
export type ModelRequest = {
  /** ID that the endpoint knows; aliases are resolved. */
  readonly model: string;
  /** Most tokens of the reply. */
  readonly maxTokens: number;
  /** Static part first, dynamic part last. */
  readonly system: readonly string[];
  /** Sorted; the same for an agent's whole life, except that tools found by ToolSearch are added at the end. */
  readonly tools: readonly ModelTool[];
  /** Tools of the endpoint, after the others; none if absent. */
  readonly serverTools?: readonly ServerTool[];
  /** Each request extends the one before it. */
  readonly messages: readonly Message[];
  /** `any`: the model must use a tool. `none`: it must not. It decides if absent. */
  readonly toolChoice?: 'any' | 'none';
  /** Texts that end the reply. */
  readonly stopSequences?: readonly string[];
  /** How much the model thinks; its own default if absent. */
  readonly effort?: Effort;
  /** Whether and how much the model thinks; its own default if absent. */
  readonly thinking?: ThinkingConfig;
  /** The agent of the request: for scripts and records, never sent. */
  readonly origin: {
    /** ID of the agent's conversation, for messages and `resume`. */
    readonly agentId: string;
    /** Name of the agent's definition, such as `worker`; `main` for a main agent without one. */
    readonly agentType: string;
    /** Name of the agent, if it has one. */
    readonly name?: string;
  };
};

/**
 * One event of a streamed reply, in the Messages API's own form (`message_start`, `content_block_start`,
 * `content_block_delta`, `content_block_stop`, `message_delta`, `message_stop`). Unknown types are passed on and ignored.
 */
export type ModelEvent = {
  /** Such as `content_block_delta`; the other fields depend on it. */
  readonly type: string;
  readonly [key: string]: unknown;
};

/** Options of a request. */
export type ModelStreamOptions = {
  /** Aborts when the reply is not needed any more. */
  readonly signal: AbortSignal;
  /** Called for all data that arrives, also for a ping. */
  readonly onActivity?: () => void;
};

/** Answers requests. Implementations never retry: a retry is visible state of the agent that waits. */
export interface Model {
  /** Name of the model in requests if none is named; the default alias if absent. */
  readonly defaultName?: string;
  /** Path of the script that gives the replies, if one does; the journal names it. */
  readonly script?: string | undefined;
  /** Types of the server tools that requests may name; none if absent. */
  readonly serverTools?: readonly string[];
  /** Origin of the key, if it is not in the environment. */
  readonly keySource?: string | undefined;
  /**
   * Open one streaming request. It rejects, or throws while the reply is read, with the error of the transport. The
   * stream ends without `message_stop` if the connection was closed.
   */
  stream(request: ModelRequest, options: ModelStreamOptions): Promise<AsyncIterable<ModelEvent>>;
}
