import type { AgentDefinition } from '../../../core/agents/agent-definition.js';
import type { ModelTool, ThinkingConfig } from '../../../model/model.js';
import type { Caller } from './caller.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Mailbox } from '../../mail/mailbox.js';

/**
 * The parts of one live agent, beside its machine. All but `toolContext` is fixed for its life; from its first
 * request on, tools are only added behind the others.
 */
export type AgentParts = Caller & {
  /** A program may change it between two requests, like the model. */
  thinking: ThinkingConfig | undefined;
  system: readonly string[];
  modelTools: readonly ModelTool[];
  /** A session that only hosts, a workflow, a tool that is called by itself: the caller reads no messages. */
  readonly asksNoModel: boolean;
  /** The definition of a new main agent, if skills of it are in front of the first prompt. */
  readonly opening: AgentDefinition | undefined;
  readonly inbox: Mailbox;
  readonly conversation: Conversation;
};
