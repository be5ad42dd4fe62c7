import type { PermissionMode } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';

/** Options of a sub-agent. */
export type SpawnOptions = {
  /** Name of a definition, or `fork` for a copy of the main agent. `general-purpose` if absent. */
  readonly agent?: string;
  /** Agent ID, task ID or name of an agent that has ended: it is resumed with the prompt, and keeps its type. */
  readonly resume?: string;
  /** `worktree`: the agent works in a new git worktree, which is kept if there is work in it at the end. */
  readonly isolation?: 'worktree';
  /** First user message of the agent. */
  readonly prompt: string;
  /** The work of the agent, in a few words for people. */
  readonly description?: string;
  /** Name by which messages reach the agent. */
  readonly name?: string;
  /**
   * Name of a team of the main agent; a new team if there is none of this name. The agent joins it, and is idle instead
   * of ending when it has nothing to do. Needs `name`.
   */
  readonly team?: string;
  /** ID or alias of a model; that of the definition if absent. */
  readonly model?: string;
  /** Mode of the agent, never laxer than its parent's. */
  readonly permissionMode?: PermissionMode;
  /** Limits of the agent and everything below it; those of its definition, or else of the orchestrator, if absent. */
  readonly taskBudget?: TaskBudget;
  /** True: the end becomes a notification to the main agent. */
  readonly background?: boolean;
  /** Kills the agent when it aborts. If it is aborted already, nothing starts. */
  readonly signal?: AbortSignal;
};

/** Options of `session.map`. */
export type MapOptions = {
  /** How many agents run at once; all if absent, as far as `maxConcurrentAgents` allows. */
  readonly concurrency?: number;
  /** Kills the started agents, and starts no more. */
  readonly signal?: AbortSignal;
  /** Continue after failures, and resolve with outcomes in place of results. */
  readonly settle?: boolean;
};
