import type { AgentDefinition } from '../core/agents/agent-definition.js';
import type { PermissionMode } from '../core/permission-types.js';
import type { TaskBudget } from '../core/tasks/task-budget.js';

/** Facts about a call that its input does not show, by their names for people. */
export type RequestDetails = Readonly<Record<string, string>>;

/** The place of a call that needs a decision. */
export type RequestSurroundings = {
  /** The mode of the agent that makes the call. */
  readonly mode: PermissionMode;
  /** The agents of the session. */
  readonly definitions: readonly AgentDefinition[];
  /** The budget of an agent whose definition has none. */
  readonly taskBudget?: TaskBudget | undefined;
};
