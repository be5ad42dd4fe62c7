import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { PermissionMode, ScopedRules } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { WorkflowDefinition, WorkflowInputs } from '../../workflow/workflow-definition.js';

/** Steps and options of a workflow. */
export type WorkflowStart = WorkflowDefinition & {
  /** Values of `inputs` in expressions. */
  readonly inputs?: WorkflowInputs;
  /** Agents for its steps alone, beside those of the orchestrator. */
  readonly agents?: readonly AgentDefinition[];
  /** The work of the workflow, in a few words for people. */
  readonly description?: string;
  /**
   * Task ID of a run of this session to resume; `true` for the newest. Steps that are done are not run again, unless
   * they have changed or need a step that runs again.
   */
  readonly resume?: string | true;
  /** Rules beside those of the session, for everything below the workflow. */
  readonly rules?: ScopedRules;
  /** Mode, as strict as the session's or stricter. */
  readonly permissionMode?: PermissionMode;
  /** Limits of all steps together. */
  readonly taskBudget?: TaskBudget;
  /** True: the end becomes a notification to the main agent. */
  readonly background?: boolean;
};
