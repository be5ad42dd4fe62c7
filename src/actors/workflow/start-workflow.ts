import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { describeRefusal, formatPath, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import { PermissionMode, type ScopedRules } from '../../core/permission-types.js';
import { WorkflowDefinition } from '../../workflow/workflow-definition.js';
import { defineAgent } from '../../extensions/agents/define-agent.js';
import { outputsToKeep, readWorkflow } from '../../journal/readers/workflow-record.js';
import type { StepState } from '../../workflow/plan/workflow-types.js';
import { parseRule } from '../../permissions/rules/rule.js';
import { checkOptions, strictOptions } from '../../tools/calls/check-options.js';
import { checkTaskBudget } from '../agents/budgets.js';
import type { EventSource, WorkflowNews } from '../services/event-bus.js';
import type { Spawn } from '../spawn/spawn-task.js';
import { BY_PROGRAM } from '../spawn/plan-agent.js';
import { liveSteps } from '../tasks/task-activity.js';
import { createTaskHandle, type HandleOwners } from '../handles/task-handle.js';
import type { WorkflowHandle } from '../contract/handles.js';
import type { WorkflowStart } from '../contract/workflow-start.js';

type StartOwners = HandleOwners & {
  readonly spawn: Spawn;
  readonly journal: { readonly directory: string };
  readonly bus: EventSource;
};

const elsewhere = z.unknown().optional();
const ruleList = z.array(z.string()).readonly().optional();
const Start = z.lazy(() =>
  strictOptions({
    tasks: elsewhere, // toDefinition
    finish: elsewhere, // toDefinition
    inputs: z.record(z.string(), z.string()).optional(),
    agents: z.array(z.unknown()).optional(), // defineAgent
    description: z.string().optional(),
    resume: z.union([z.string(), z.literal(true)]).optional(),
    rules: strictOptions({ allow: ruleList, deny: ruleList, ask: ruleList }).optional(),
    permissionMode: PermissionMode.optional(),
    taskBudget: elsewhere, // checkTaskBudget
    background: z.boolean().optional(),
  } satisfies Record<keyof WorkflowStart, z.ZodType>),
);

function checkScopedRules(given: ScopedRules = {}): void {
  for (const [behavior, list] of Object.entries(given))
    for (const [index, rule] of (list ?? []).entries()) {
      const parsed = parseRule(rule);
      if (!parsed.ok)
        throw new UsageError(`session.workflow: rules.${behavior}[${index}]: ${parsed.message}`);
    }
}

/**
 * Start a workflow below an agent of a program.
 *
 * @throws UsageError, TaskRefusedError
 */
export async function startWorkflow(
  owners: StartOwners,
  owner: { readonly taskId: TaskId; readonly agentId: AgentId },
  start: WorkflowStart,
): Promise<WorkflowHandle> {
  checkOptions(Start, start, 'session.workflow');
  for (const agent of start.agents ?? []) defineAgent(agent);
  checkScopedRules(start.rules);
  const { tasks, finish, agents, rules, permissionMode, taskBudget, background = false } = start;
  checkTaskBudget(taskBudget);
  const definition = toDefinition({ tasks, ...(finish === undefined ? {} : { finish }) });
  const earlier =
    start.resume === undefined
      ? undefined
      : readWorkflow(owners.journal.directory, start.resume === true ? undefined : start.resume);
  if (
    earlier !== undefined &&
    start.inputs !== undefined &&
    !isDeepStrictEqual({ ...start.inputs }, earlier.inputs)
  )
    throw new UsageError('A resumed workflow keeps its inputs: remove them.');
  const news = listenToSteps(owners.bus); // listen now: a workflow may end before `spawn` resolves
  const spawning = owners.spawn(owner.taskId, owner.agentId, {
    kind: 'local_workflow',
    definition,
    inputs: earlier?.inputs ?? start.inputs ?? {},
    description: start.description ?? 'workflow',
    isBackgrounded: background,
    toolUseId: BY_PROGRAM,
    ...(earlier === undefined
      ? {}
      : { from: earlier.taskId, done: outputsToKeep(earlier, definition) }),
    agents,
    rules,
    permissionMode,
    taskBudget,
  });
  const { id } = await spawning.catch((refusal: unknown) => {
    news.stop();
    throw refusal;
  });
  return createWorkflowHandle(owners, id, news);
}

type StepNews = {
  /** The last known states of a workflow's steps. */
  of(workflow: TaskId): ReadonlyMap<string, StepState>;
  stop(): void;
};

function listenToSteps(bus: EventSource): StepNews {
  const heard = new Map<TaskId, Map<string, StepState>>();
  const take = (workflow: TaskId, { step, state }: WorkflowNews): void => {
    heard.set(workflow, (heard.get(workflow) ?? new Map<string, StepState>()).set(step, state));
  };
  bus.on('workflow.step', take);
  return {
    of: (workflow) => heard.get(workflow) ?? new Map<string, StepState>(),
    stop: () => void bus.off('workflow.step', take),
  };
}

function createWorkflowHandle(owners: StartOwners, id: TaskId, news: StepNews): WorkflowHandle {
  const handle = createTaskHandle(owners, id);
  void handle.outcome.then(news.stop);
  return {
    id,
    agentId: handle.agentId,
    path: handle.path,
    outcome: handle.outcome,
    send: handle.send,
    interrupt: handle.interrupt,
    kill: handle.kill,
    background: handle.background,
    output: handle.output,
    textSoFar: handle.textSoFar,
    usage: handle.usage,
    get status() {
      return handle.status;
    },
    get result() {
      return handle.result;
    },
    get steps() {
      return { ...(liveSteps(owners.tasks, id) ?? Object.fromEntries(news.of(id))) };
    },
  };
}

function toDefinition(given: WorkflowDefinition): WorkflowDefinition {
  const { error } = WorkflowDefinition.safeParse(given);
  if (error === undefined) return given;
  const nameOf = (path: readonly PropertyKey[]): string => formatPath(path) || 'it';
  const why = describeRefusal(error, given, nameOf);
  throw new UsageError(`The workflow cannot be used: ${withFullStop(why)}`);
}
