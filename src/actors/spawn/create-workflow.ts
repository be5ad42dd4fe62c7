import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { Settings } from '../options/settings.js';
import type { TaskId } from '../../core/ids.js';
import { findWorkflowProblems } from '../../workflow/workflow-problems.js';
import type { SpawnRequest } from '../../tools/task-capabilities.js';
import type { AgentRuntime } from '../agents/agent-runtime.js';
import type { Journal } from '../../journal/journal.js';
import type { AgentFactory } from '../agents/agent-factory.js';
import type { SessionOptions } from '../agents/session-options.js';
import type { SharedServices } from '../agents/shared-services.js';
import { TaskRefusedError } from '../contract/task-refused-error.js';
import { callsOfRuns } from './calls-of-runs.js';

/** What a workflow is made with. */
export type WorkflowOwners = {
  readonly options: Pick<SessionOptions, 'id'>;
  readonly settings: Pick<Settings, 'maxDepth' | 'definitions' | 'taskBudget'>;
  readonly shared: Pick<SharedServices, 'ledger'>;
  readonly factory: AgentFactory;
  readonly journal: Journal;
};

type WorkflowRequest = Extract<SpawnRequest, { kind: 'local_workflow' }>;

/** It has no conversation: what is below it hangs on it. */
const ANCHOR: AgentDefinition = {
  name: 'workflow',
  description: 'Runs tasks in their order.',
  prompt: '',
  tools: [],
};

/**
 * Makes what the task of a workflow is made of: the parts of an agent that the agents of its steps are below, with their
 * depth, rules and budget, and what its machine is started with.
 *
 * @throws TaskRefusedError, JournalDamagedError
 */
export function createWorkflow(
  owners: WorkflowOwners,
  parent: AgentRuntime,
  taskId: TaskId,
  request: WorkflowRequest,
): { readonly agent: AgentRuntime; readonly spec: unknown } {
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
  const agent = owners.factory.create({
    taskId,
    definition: ANCHOR,
    parent,
    parentToolUseId: request.toolUseId,
    name: undefined,
    description: request.description,
    model: undefined,
    permissionMode,
    rules,
    budget,
    asksNoModel: true,
  });
  const { ledger } = owners.shared;
  for (const call of earlier) ledger.charge(agent.parts.id, call); // above it they are booked already
  const agentsAtOnce = ledger.roomForAgents(agent.parts.id);
  owners.journal.append(`workflows/${taskId}.jsonl`, {
    type: 'workflow.started',
    taskId,
    description: request.description,
    definition,
    inputs,
    ...(from === undefined ? {} : { from }),
    ...(done === undefined ? {} : { done }),
  });
  const spec = {
    definition,
    inputs,
    agents,
    ...(done === undefined ? {} : { done }),
    ...(agentsAtOnce === Infinity ? {} : { agentsAtOnce }),
  };
  return { agent, spec };
}
