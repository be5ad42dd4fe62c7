import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { PermissionMode, ScopedRules } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { WorkflowDefinition, WorkflowInputs } from '../../workflow/workflow-definition.js';

/** What a workflow starts with. */
export type WorkflowStart = WorkflowDefinition & {
  /** Values of `inputs` in expressions. */
  readonly inputs?: WorkflowInputs;
  /** Agents that only its tasks know, beside those of the orchestrator. */
  readonly agents?: readonly AgentDefinition[];
  /** What the workflow does, in a few words for people. */
  readonly description?: string;
  /**
   * Goes on with a run of this session, its newest where `true`: what that has done is not done again, unless it says
   * something else now, or needs a task that is run again.
   */
  readonly resume?: string | true;
  /** Beside those of the session, for all below it. */
  readonly rules?: ScopedRules;
  /** As strict as the session's or stricter. */
  readonly permissionMode?: PermissionMode;
  /** What all its tasks may use together. */
  readonly taskBudget?: TaskBudget;
  /** Its end becomes a notification to the session's own agent. */
  readonly background?: boolean;
};
