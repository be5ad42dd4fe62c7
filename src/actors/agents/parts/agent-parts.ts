import type { ModelTool, ThinkingConfig } from '../../../model/model.js';
import type { Caller } from './caller.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Inbox } from '../../mail/inbox.js';

/**
 * What one live agent consists of, beside its machine. All but `toolContext` is fixed for its life; its tools are from
 * its first request on.
 */
export type AgentParts = Caller & {
  /** A program may change it between two requests, as the model. */
  thinking: ThinkingConfig | undefined;
  readonly system: readonly string[];
  modelTools: readonly ModelTool[];
  /** A session that only hosts, a workflow, a tool that is called by itself: it reads no messages. */
  readonly asksNoModel: boolean;
  readonly inbox: Inbox;
  readonly conversation: Conversation;
};
