import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { BashOutput } from '../../tools/shell/bash-result.js';
import { findAgentDefinition } from '../../core/agents/agent-type.js';
import type { Failure } from '../../core/failure.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { WorkOutcome } from '../../core/task-types.js';
import { onAbort } from '../../core/on-abort.js';
import type { StepWork } from '../../workflow/plan/workflow-types.js';
import { describeRefusal, type AgentRefusal } from '../../usage/agent-refusal.js';
import type { SpawnRequest } from '../../tools/capabilities/task-capabilities.js';
import type { RequestBudgets } from '../../usage/usage-ledger.js';
import type { Spawn } from '../spawn/spawn-task.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import { BY_PROGRAM } from '../spawn/plan-agent.js';
import { killTask } from '../tasks/task-commands.js';

/** The task of a workflow, and the agents of the workflow alone. */
export type WorkflowOwner = {
  readonly taskId: TaskId;
  readonly agentId: AgentId;
  readonly agents: readonly AgentDefinition[];
};

/** The services that an attempt runs with. */
export type AttemptOwners = {
  readonly tasks: TaskRegistry;
  readonly spawn: Spawn;
  readonly shared: { readonly ledger: RequestBudgets };
};

/**
 * Run one attempt: a task below the workflow's own. Resolves when the task and everything below it has ended.
 *
 * @param signal ends the task, with its reason
 * @throws TaskRefusedError if the task could not be started
 */
export async function runAttempt(
  { tasks, spawn, shared }: AttemptOwners,
  { taskId, agentId, agents }: WorkflowOwner,
  work: StepWork,
  {
    label,
    signal,
    onBegun,
  }: {
    readonly label: string;
    readonly signal: AbortSignal;
    readonly onBegun: (task: TaskId) => void;
  },
): Promise<WorkOutcome> {
  const refusal = work.kind === 'agent' ? shared.ledger.refusal(agentId) : undefined;
  if (refusal !== undefined && isLasting(refusal))
    return { status: 'failed', failure: toBudgetFailure(refusal) };
  const own = work.kind === 'agent' ? findAgentDefinition(agents, work.agent) : undefined;
  let stdout: string | undefined;
  const onData = (data: unknown): void => void (stdout = stdoutOf(data));
  const { id } = await spawn(taskId, agentId, requestOf(work, label, onData), own);
  onBegun(id);
  const stopListening = onAbort(signal, () => void killTask(tasks, id, String(signal.reason)));
  const outcome = await tasks.waitFor(id);
  stopListening();
  switch (outcome.status) {
    case 'completed':
      return { status: 'completed', result: stdout ?? outcome.result };
    case 'failed':
      return outcome;
    case 'killed':
      return {
        status: 'failed',
        failure: { code: 'TASK_KILLED', message: `stopped: ${outcome.reason}` },
      };
    default:
      return outcome satisfies never;
  }
}

/** Whether a refusal lasts as long as the budget: the end of an agent gives back no room. */
function isLasting({ unit, cap }: AgentRefusal): boolean {
  return unit === 'depth' || cap === 0;
}

function toBudgetFailure(refusal: AgentRefusal): Failure {
  const { account, unit, cap } = refusal;
  const message = `The task was not started: ${describeRefusal(refusal)}`;
  return { code: 'BUDGET_EXCEEDED', message, details: { account, unit, cap } };
}

function requestOf(
  work: StepWork,
  label: string,
  onData: (data: unknown) => void,
): Extract<SpawnRequest, { kind: 'local_agent' | 'local_tool' }> {
  const base = { description: label, isBackgrounded: false, toolUseId: BY_PROGRAM };
  if (work.kind === 'tool') {
    const { tool, input } = work;
    const isCommand = tool === 'Bash';
    return { ...base, kind: 'local_tool', tool, input, ...(isCommand ? { onData } : {}) };
  }
  const { agent, prompt, model, isolation, budget } = work;
  return {
    ...base,
    kind: 'local_agent',
    agentType: agent,
    prompt,
    model,
    isolation,
    taskBudget: budget,
  };
}

/** The output of a command is its stdout; its whole result is for a model. */
function stdoutOf(data: unknown): string | undefined {
  return BashOutput.safeParse(data).data?.stdout?.replace(/\n+$/, '');
}
