import type { AgentContext } from '../../../core/agents/agent-context.js';
import type { Effort } from '../../../core/agents/agent-definition.js';
import type { AgentIdentity } from '../../../core/agents/agent-identity.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import type { Tool, ToolUseContext } from '../../../tools/tool.js';
import type { AgentOrigin } from '../../services/event-bus.js';
import type { ActiveSkills } from './active-skills.js';
import type { Conversation } from '../conversation/conversation.js';

/** The present rules of a caller of tools. */
export type PermissionView = {
  /** The session's rules, never laxer. */
  readonly permissionContext: () => ToolPermissionContext;
  /**
   * The rules that settle its permission requests: its own, or, if it bubbles, those of its nearest parent that does
   * not.
   */
  readonly judgingContext: () => ToolPermissionContext;
};

/**
 * A caller of tools: an agent, or a task that calls one tool without an agent. All but `tools`, `newTools` and
 * `toolContext` is fixed for its life; servers may add tools.
 */
export type Caller = AgentIdentity &
  PermissionView & {
    /** Names of tools that the caller and everything below it may not use. */
    readonly deniedTools: readonly string[];
    readonly origin: AgentOrigin;
    /** ID of its model, also for sub-agents that name none; a program may change it between two requests. */
    model: string;
    /** ID of the model in plan mode, if it is another one. */
    planModel: string | undefined;
    /** How much its model thinks; a program may change it between two requests. */
    effort: Effort | undefined;
    /** The skills that it uses, until the next prompt. */
    readonly activeSkills: ActiveSkills;
    tools: readonly Tool[];
    /** Names of deferred tools that are new to its model. */
    newTools: readonly string[];
    /** Called with the data that its tools return, beside the text for a model. */
    readonly onData?: ((data: unknown) => void) | undefined;
    readonly stepContext: AgentContext;
    /** The results of its calls, and the earlier messages that its tools may read. */
    readonly conversation: Pick<
      Conversation,
      'messages' | 'nextReply' | 'prompts' | 'addResult' | 'result' | 'results'
    >;
    /** Aborted when all work of the caller must stop. */
    readonly abort: AbortController;
    /** For a resumed agent: the task that a tool call had started in an earlier process, in words for the model. */
    readonly lostWork?: ((call: InterruptedCall) => string | undefined) | undefined;
    /** The context for its tools; a tool that ran alone may have changed it (a shell's `cd`). */
    toolContext: ToolUseContext;
  };

/** A tool call that had begun and had no result when its process ended. */
export type InterruptedCall = { readonly toolUseId: string; readonly toolName: string };

/** The caller's present model, unless a fallback is in use: in plan mode or with a skill it may be another one. */
export function modelNow({
  model,
  planModel,
  permissionContext,
  activeSkills,
}: Pick<Caller, 'model' | 'planModel' | 'permissionContext' | 'activeSkills'>): string {
  const skillModel = activeSkills.model();
  if (skillModel !== undefined) return skillModel;
  return planModel !== undefined && permissionContext().mode === 'plan' ? planModel : model;
}
