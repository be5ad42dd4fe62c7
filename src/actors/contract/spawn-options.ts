import type { PermissionMode } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';

/** What an agent starts with. */
export type SpawnOptions = {
  /** Its type: a definition's name, or `fork` for a copy of the session's own agent. `general-purpose` where absent. */
  readonly agent?: string;
  /** Agent id, task id or name of an agent that has ended: it goes on with the prompt. Its type is what it was. */
  readonly resume?: string;
  /** A git worktree of its own to work in, which is kept where there is work in it at its end. */
  readonly isolation?: 'worktree';
  /** First user message of the agent. */
  readonly prompt: string;
  /** What the agent does, in a few words for people. */
  readonly description?: string;
  /** Name by which messages reach the agent. */
  readonly name?: string;
  /**
   * It becomes a teammate in this team of the session's own agent, which is made where it is not there: it stays when it
   * has nothing to do. Needs a name.
   */
  readonly team?: string;
  /** ID or alias of a model; that of the definition if absent. */
  readonly model?: string;
  /** Mode of the agent, never laxer than its parent's. */
  readonly permissionMode?: PermissionMode;
  /** What it and all below it may use; its definition's, or the orchestrator's, where absent. */
  readonly taskBudget?: TaskBudget;
  /** Its end becomes a notification to the session's own agent. */
  readonly background?: boolean;
  /** Kills it when it is aborted; where it is already, nothing is started. */
  readonly signal?: AbortSignal;
};

/** How `session.map` starts agents. */
export type MapOptions = {
  /** How many tasks there are at once; all where absent, as far as `maxConcurrentAgents` lets them. */
  readonly concurrency?: number;
  /** Kills what was started, and starts nothing more. */
  readonly signal?: AbortSignal;
  /** Goes on after failures, and resolves with outcomes in the place of results. */
  readonly settle?: boolean;
};
