import type { Effort } from '../core/agents/agent-definition.js';
import type { Message } from '../core/messages.js';

/** A tool as the model sees it. */
export type ModelTool = {
  /** Name of the tool. */
  readonly name: string;
  /** What the model is told of the tool. */
  readonly description: string;
  /** JSON schema of the input. */
  readonly input_schema: { readonly type: 'object'; readonly [key: string]: unknown };
};

/** Whether and how much a model thinks: as it sees fit, at most so many tokens, or not at all. */
export type ThinkingConfig =
  | { readonly type: 'adaptive' }
  | {
      readonly type: 'enabled';
      /** Most tokens of thinking in one reply. */
      readonly budgetTokens: number;
    }
  | { readonly type: 'disabled' };

/** One request, provider-neutral in what it leaves out: cache marks and transport belong to the implementation. */
export type ModelRequest = {
  /** ID of the model. */
  readonly model: string;
  /** Most tokens of the reply. */
  readonly maxTokens: number;
  /** Static part first, dynamic part last. */
  readonly system: readonly string[];
  /** Sorted; the same for an agent's whole life. */
  readonly tools: readonly ModelTool[];
  /** Each request extends the one before it. */
  readonly messages: readonly Message[];
  /** How much the model thinks; its own default where absent. */
  readonly effort?: Effort;
  /** As `effort`. */
  readonly thinking?: ThinkingConfig;
  /** Which agent asks: for scripts and records, never sent. */
  readonly origin: {
    /** ID of the agent. */
    readonly agentId: string;
    /** Type of the agent. */
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
  /** Type of the event. */
  readonly type: string;
  readonly [key: string]: unknown;
};

/** The rest of what a model gets with a request. */
export type ModelStreamOptions = {
  /** Aborts when the reply is not needed any more. */
  readonly signal: AbortSignal;
  /** Called whenever something arrives, also what is no event: a ping, say. */
  readonly onActivity?: () => void;
};

/** Where replies come from. Implementations never retry: retry is visible state of the agent that waits. */
export interface Model {
  /** Name of the model in requests if nobody names one; the default alias if absent. */
  readonly defaultName?: string;
  /** What the key of requests comes from, if it does not stand in the environment. */
  readonly keySource?: string | undefined;
  /**
   * Opens one streaming request. Rejects, or throws while it is read, with the transport's error; see
   * `classifyModelError`. Ends early without `message_stop` where the connection was closed.
   */
  stream(request: ModelRequest, options: ModelStreamOptions): Promise<AsyncIterable<ModelEvent>>;
}
