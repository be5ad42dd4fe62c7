import type { AgentId, TaskId } from '../ids.js';
import type { ToolPermissionContext } from '../permission-types.js';
import type { TaskStateBase } from '../task-types.js';
import type { TodoItem } from '../tasks/todo.js';

/**
 * What tools and user interfaces see of a session. A read model: `tasks` and `agentNameRegistry` are projected from
 * the actors; `toolPermissionContext` is replaced whole by `setAppState`.
 */
export type AppState = {
  /** Rules, mode and folders of the session. */
  readonly toolPermissionContext: ToolPermissionContext;
  /** Model of the session's own agent. */
  readonly mainLoopModel: string;
  /** The option `verbose` of the orchestrator. */
  readonly verbose: boolean;
  /** All tasks of the session by ID. */
  readonly tasks: { readonly [id: TaskId]: TaskStateBase };
  /** What each live agent has written down to do. */
  readonly todos: { readonly [id: AgentId]: readonly TodoItem[] };
  /** Names that SendMessage understands. */
  readonly agentNameRegistry: { readonly [name: string]: AgentId };
};
