import type { PermissionMode } from '../../core/permission-types.js';
import type { WireStatus } from '../../actors/sessions/messages/wire-status.js';
import type { UserMessageInput } from '../../actors/contract/user-message.js';
import type { SDKMessage } from './sdk-messages.js';

/** A prompt of a streaming query. */
export type SDKUserMessage = UserMessageInput & {
  readonly type: 'user';
  /** Null: prompts go to the session's own agent. */
  readonly parent_tool_use_id?: string | null;
  /** Without effect: a query has one session. */
  readonly session_id?: string;
  /** ID of the message. */
  readonly uuid?: string;
};

/** An agent that the session can start. */
export type AgentInfo = {
  /** Name of the agent. */
  readonly name: string;
  /** When the agent is to be used. */
  readonly description: string;
  /** An ID or an alias; the parent's if absent. */
  readonly model?: string;
};
/** A model that can be chosen by its alias. */
export type ModelInfo = {
  /** An alias, for `setModel`. */
  readonly value: string;
  /** The ID of the model that it stands for. */
  readonly resolvedModel: string;
  /** Name for people. */
  readonly displayName: string;
  /** What the alias stands for. */
  readonly description: string;
};
/** A command that a prompt may be. */
export type SlashCommand = {
  /** Name without the slash. */
  readonly name: string;
  /** What the command does. */
  readonly description: string;
  /** What may follow the name; empty if nothing may. */
  readonly argumentHint: string;
};
/** State of an MCP server. */
export type McpServerState = {
  /** Name of the server in `mcpServers`. */
  readonly name: string;
  /** How the connection stands. */
  readonly status: WireStatus;
  /** Why it is not connected. */
  readonly error?: string;
};

/** What is known of the account; the name of the variable that holds the key, or `none`. */
export type AccountInfo = {
  /** Environment variable that has the key; `none` if there is no key. */
  readonly apiKeySource: string;
};

/** What the answer to `initialize` says of a session. */
export type SessionDescription = {
  readonly commands: readonly SlashCommand[];
  readonly agents: readonly AgentInfo[];
  readonly models: readonly ModelInfo[];
  readonly output_style: string;
  readonly available_output_styles: readonly string[];
  readonly account: AccountInfo;
};

/** How full the conversation is, as the SDK's `getContextUsage` tells it; what it consists of is not broken down. */
export type ContextUsageReport = {
  readonly model: string;
  readonly totalTokens: number;
  readonly maxTokens: number;
  readonly rawMaxTokens: number;
  /** Of `maxTokens`, from 0 to 100. */
  readonly percentage: number;
  readonly categories: readonly {
    readonly name: string;
    readonly tokens: number;
    readonly color: string;
    readonly kind: 'used' | 'free';
  }[];
  readonly gridRows: readonly never[];
  readonly memoryFiles: readonly never[];
  readonly mcpTools: readonly never[];
  readonly agents: readonly never[];
};

/**
 * The messages of one session, and what can be done with it while it runs. The session begins with the first `next`, or
 * with the first method that needs it. It has ended, and no process of it is left, when the iteration has ended:
 * by itself, by a `break`, or by `return`.
 */
export interface Query extends AsyncGenerator<SDKMessage, void, undefined> {
  /** Stops what the session's own agent does now; a streaming query goes on with the next prompt. */
  interrupt(): Promise<void>;
  /** @throws UsageError for a mode that does not exist, PermissionModeUnavailableError */
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /** Of the session's own agent, from its next request on; the one that it began with where absent. */
  setModel(model?: string): Promise<void>;
  /** Further prompts, beside those that the query was made with. Resolves when all have been taken. */
  streamInput(prompts: AsyncIterable<SDKUserMessage>): Promise<void>;
  /** Ends a sub-agent or a background command. @throws UsageError where there is none of this id */
  stopTask(taskId: string): Promise<void>;
  /**
   * Set how much the session's own agent may think, from its next request on: most tokens, 0 for none, null for what the
   * model does by itself. @throws UsageError for fewer than 1,024 tokens, or as many as a reply may have
   */
  setMaxThinkingTokens(tokens: number | null): Promise<void>;
  /** How full the conversation of the session's own agent is. */
  getContextUsage(): Promise<ContextUsageReport>;
  /**
   * Send the task that a tool call started to the background, or everything that the session's own agent waits for.
   * Resolves with whether there was any.
   */
  backgroundTasks(toolUseId?: string): Promise<boolean>;
  /** There are none yet. */
  supportedCommands(): Promise<readonly SlashCommand[]>;
  /** Resolve with the aliases of models. */
  supportedModels(): Promise<readonly ModelInfo[]>;
  /** Resolve with the agents that the session can start. */
  supportedAgents(): Promise<readonly AgentInfo[]>;
  /** Resolve with the state of each MCP server. */
  mcpServerStatus(): Promise<readonly McpServerState[]>;
  /** Resolve with commands, models, agents and account of the session. */
  initializationResult(): Promise<SessionDescription>;
  /** Resolve with where the key comes from. */
  accountInfo(): Promise<AccountInfo>;
  /** Ends the query, as `return` does, without waiting for it. */
  close(): void;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
