import type { AgentId, TaskId } from './ids.js';
import type { ToolPermissionContext } from './permission-types.js';
import type { TaskStateBase } from './task-types.js';
import type { TodoItem } from './todo.js';

/**
 * What tools and user interfaces see of a session. A read model: `tasks` and `agentNameRegistry` are projected from
 * the actors; `toolPermissionContext` is replaced whole by `setAppState`.
 */
export type AppState = {
  readonly toolPermissionContext: ToolPermissionContext;
  readonly mainLoopModel: string;
  readonly verbose: boolean;
  readonly tasks: { readonly [id: TaskId]: TaskStateBase };
  /** What each live agent has written down to do. */
  readonly todos: { readonly [id: AgentId]: readonly TodoItem[] };
  /** Names that SendMessage understands. */
  readonly agentNameRegistry: { readonly [name: string]: AgentId };
};
