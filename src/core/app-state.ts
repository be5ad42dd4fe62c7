import type { AgentId, TaskId } from './ids.js';
import type { ToolPermissionContext } from './permission-types.js';
import type { TaskStateBase } from './task-types.js';

/**
 * What tools and user interfaces see of a session. A read model: `tasks` and `agentNameRegistry` are projected from
 * the actors; `toolPermissionContext` is replaced whole by `setAppState`.
 */
export type AppState = {
  readonly toolPermissionContext: ToolPermissionContext;
  readonly mainLoopModel: string;
  readonly verbose: boolean;
  readonly tasks: { readonly [id: TaskId]: TaskStateBase };
  /** Names that SendMessage understands. */
  readonly agentNameRegistry: { readonly [name: string]: AgentId };
};
