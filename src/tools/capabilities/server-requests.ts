import type { ElicitationRequest, ElicitationResult } from '../../core/agents/elicitation.js';
import type { AssistantMessage, Message } from '../../core/messages.js';
import type { AgentId } from '../../core/ids.js';
import type { ModelTool } from '../../model/model.js';

/** The answers to what an MCP server asks for while a call of one of its tools runs. The agent of the call answers. */
export interface ServerRequests {
  /** The agent of the call. */
  readonly agentId: AgentId;
  /** Put a question to the person. Never rejects, except with the signal's reason. */
  elicit(request: ElicitationRequest, signal: AbortSignal): Promise<Elicited>;
  /**
   * Ask the model, for the budget of the agent.
   *
   * @throws SamplingRefusedError if the rules or the person refuse; the error of the model request
   */
  sample(request: SamplingRequest, signal: AbortSignal): Promise<Sampled>;
}

/** An answer, and why nobody gave it. */
export type Elicited = ElicitationResult & {
  /** Why no person has answered. */
  readonly reason?: string;
};

/** A model request of an MCP server. */
export type SamplingRequest = {
  /** Key of the server in `mcpServers`. */
  readonly serverName: string;
  /** The whole system prompt; none if absent. */
  readonly systemPrompt?: string | undefined;
  /** The conversation that the model continues. */
  readonly messages: readonly Message[];
  /** Most tokens of the reply. */
  readonly maxTokens: number;
  /** Tools of the server that the model may call; the server runs them. */
  readonly tools: readonly ModelTool[];
  /** `any`: the model must use a tool. `none`: it must not. It decides if absent. */
  readonly toolChoice: 'any' | 'none' | undefined;
  /** Texts that end the reply. */
  readonly stopSequences: readonly string[] | undefined;
  /** Names of models, or parts of names, the preferred one first. */
  readonly modelHints: readonly string[];
};

/** The reply to a model request of an MCP server. */
export type Sampled = {
  /** The model that has answered. */
  readonly model: string;
  /** Text and tool calls of the reply. */
  readonly message: AssistantMessage;
  /** Why the reply ended, as the Messages API says it. */
  readonly stopReason: string | null;
};
