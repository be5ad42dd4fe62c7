import type { AgentId, TaskId } from '../ids.js';
import type { ToolPermissionContext } from '../permission-types.js';
import type { TaskStateBase } from '../task-types.js';
import type { TodoItem } from '../tasks/todo.js';

/**
 * State of a session for tools and user interfaces. `tasks` and `agentNameRegistry` are made from the actors and cannot
 * be set; `setAppState` replaces `toolPermissionContext` whole.
 */
export type AppState = {
  /** Rules, mode and folders of the session. */
  readonly toolPermissionContext: ToolPermissionContext;
  /** Model of the main agent. */
  readonly mainLoopModel: string;
  /** The option `verbose` of the orchestrator. */
  readonly verbose: boolean;
  /** All tasks of the session by ID. */
  readonly tasks: { readonly [id: TaskId]: TaskStateBase };
  /** To-do list of each live agent. */
  readonly todos: { readonly [id: AgentId]: readonly TodoItem[] };
  /** Names that SendMessage accepts. */
  readonly agentNameRegistry: { readonly [name: string]: AgentId };
};
