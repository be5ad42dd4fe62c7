import type { UsageLedger } from '../../usage/usage-ledger.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { SessionId, TaskId } from '../../core/ids.js';
import { findWorkflowProblems } from '../../workflow/workflow-problems.js';
import type { SpawnRequest } from '../../tools/capabilities/task-capabilities.js';
import type { LiveCaller } from '../agents/runtime/live-caller.js';
import type { JournalLines, SessionFiles } from '../../journal/journal.js';
import type { AgentFactory } from '../agents/agent-factory.js';
import { TaskRefusedError } from '../contract/task-refused-error.js';
import { callsOfRuns } from './calls-of-runs.js';

/** The services that a workflow is made with. */
export type WorkflowOwners = {
  readonly options: { readonly id: SessionId };
  readonly settings: {
    readonly maxDepth: number;
    readonly definitions: readonly AgentDefinition[];
    readonly taskBudget?: TaskBudget | undefined;
  };
  readonly shared: { readonly ledger: UsageLedger };
  readonly factory: AgentFactory;
  readonly journal: JournalLines & SessionFiles;
};

type WorkflowRequest = Extract<SpawnRequest, { kind: 'local_workflow' }>;

/** A workflow calls no tools itself: its steps are below it. */
const WORKFLOW: AgentDefinition = {
  name: 'workflow',
  description: 'Runs tasks in their order.',
  prompt: '',
  tools: [],
};

/**
 * Make the parts of a workflow's task: the caller above its steps, with its depth, rules and budget, and the input of
 * its machine.
 *
 * @throws TaskRefusedError, JournalDamagedError
 */
export function createWorkflow(
  owners: WorkflowOwners,
  parent: LiveCaller,
  taskId: TaskId,
  request: WorkflowRequest,
): { readonly caller: LiveCaller; readonly spec: unknown } {
  const { definition, inputs, agents = [], done, from, rules, permissionMode } = request;
  const { maxDepth, definitions, taskBudget } = owners.settings;
  if (parent.parts.depth + 1 > maxDepth)
    throw new TaskRefusedError(
      `tasks may be at most ${maxDepth} deep, and this workflow would be deeper`,
    );
  const [problem, ...more] = findWorkflowProblems(definition, {
    inputs: Object.keys(inputs),
    agents: [...agents, ...definitions].map(({ name }) => name),
  });
  if (problem !== undefined)
    throw new TaskRefusedError(
      `the workflow cannot be used: ${[problem, ...more].map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    );
  const budget = request.taskBudget ?? taskBudget;
  const earlier = budget === undefined || from === undefined ? [] : callsOfRuns(owners, from);
  const caller = owners.factory.createCaller({
    taskId,
    definition: WORKFLOW,
    parent,
    parentToolUseId: request.toolUseId,
    description: request.description,
    permissionMode,
    rules,
    budget,
  });
  const { ledger } = owners.shared;
  for (const call of earlier) ledger.charge(caller.parts.id, call); // the tasks above have booked them already
  const agentsAtOnce = ledger.roomForAgents(caller.parts.id);
  owners.journal.append(`workflows/${taskId}.jsonl`, {
    type: 'workflow.started',
    taskId,
    description: request.description,
    definition,
    inputs,
    from,
    done,
  });
  const spec = {
    definition,
    inputs,
    agents,
    done,
    ...(agentsAtOnce === Infinity ? {} : { agentsAtOnce }),
  };
  return { caller, spec };
}
