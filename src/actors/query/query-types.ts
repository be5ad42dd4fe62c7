import type { PermissionMode } from '../../core/permission-types.js';
import type { SessionMessage } from '../session-message.js';
import type { WireStatus } from '../session-messages/init-message.js';
import type { UserMessageInput } from '../user-message.js';

/** A prompt of a streaming query. */
export type SDKUserMessage = UserMessageInput & {
  readonly type: 'user';
  readonly parent_tool_use_id?: string | null;
  readonly session_id?: string;
  readonly uuid?: string;
};

export type AgentInfo = { readonly name: string; readonly description: string };
export type ModelInfo = {
  readonly value: string;
  readonly displayName: string;
  readonly description: string;
};
export type SlashCommand = {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
};
export type McpServerState = {
  readonly name: string;
  readonly status: WireStatus;
  /** Why it is not connected. */
  readonly error?: string;
};

/**
 * The messages of one session, and what can be done with it while it runs. The session begins with the first `next`, or
 * with the first method that needs it. It has ended, and no process of it is left, when the iteration has ended:
 * by itself, by a `break`, or by `return`.
 */
export interface Query extends AsyncGenerator<SessionMessage, void, undefined> {
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
  /** There are none yet. */
  supportedCommands(): Promise<readonly SlashCommand[]>;
  supportedModels(): Promise<readonly ModelInfo[]>;
  supportedAgents(): Promise<readonly AgentInfo[]>;
  mcpServerStatus(): Promise<readonly McpServerState[]>;
  initializationResult(): Promise<{
    readonly commands: readonly SlashCommand[];
    readonly agents: readonly AgentInfo[];
    readonly models: readonly ModelInfo[];
    readonly output_style: string;
    readonly available_output_styles: readonly string[];
    readonly account: { readonly apiKeySource: string };
  }>;
  accountInfo(): Promise<{ readonly apiKeySource: string }>;
  /** Ends the query, as `return` does, without waiting for it. */
  close(): void;
  [Symbol.asyncDispose](): Promise<void>;
}
