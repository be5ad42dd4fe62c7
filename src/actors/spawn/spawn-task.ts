import type { RequestBudgets } from '../../usage/usage-ledger.js';
import type { Admission } from '../tasks/admission.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { SessionContext } from '../../context/context-keys.js';
import { given } from '../../core/json/given.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { TaskInput } from '../../core/events.js';
import { createTaskId, type AgentId, type TaskId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import { describeRefusal } from '../../usage/agent-refusal.js';
import type {
  AgentRequest,
  CommandRequest,
  MonitorMcpRequest,
  SpawnRequest,
  SpawnedTask,
} from '../../tools/capabilities/task-capabilities.js';
import type { AgentRuntime } from '../agents/runtime/agent-runtime.js';
import type { LiveCaller } from '../agents/runtime/live-caller.js';
import type { Mailroom } from '../mail/mailroom.js';
import type { MonitorMcpSpec } from './monitor-mcp.js';
import { createToolTask, type ToolOwners } from './local-tool.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import type { Worktrees } from './worktrees.js';
import { createWorkflow, type WorkflowOwners } from './create-workflow.js';
import { TaskRefusedError } from '../contract/task-refused-error.js';
import { preloadSkills } from '../../tools/skills/preload-skills.js';
import { joinTeam } from '../teams/join-team.js';
import { checkNameIsFree, planAgent, type AgentPlan, type PlanOwners } from './plan-agent.js';
import type { BashSpec } from './local-bash.js';

/**
 * Start a task below another one.
 *
 * @param known the definition of an agent, if the caller has its own one
 */
export type Spawn = (
  parentId: TaskId,
  parentAgentId: AgentId,
  request: SpawnRequest,
  known?: AgentDefinition,
) => Promise<SpawnedTask>;

export type SpawnOwners = PlanOwners &
  WorkflowOwners &
  ToolOwners & {
    readonly settings: {
      readonly autoCompact: boolean;
      readonly context?: SessionContext | undefined;
      readonly taskBudget?: TaskBudget | undefined;
    };
    readonly shared: { readonly admission: Admission | undefined; readonly ledger: RequestBudgets };
    readonly tasks: TaskRegistry;
    readonly mail: Mailroom;
    readonly worktrees: Worktrees;
  };

/** Kinds of tasks that wait for a place among the agents at work. */
const QUEUED: ReadonlySet<SpawnRequest['kind']> = new Set([
  'local_agent',
  'in_process_teammate',
  'dream',
]);

type Child = {
  /** The agent or workflow of the task, if it may start tasks itself. */
  readonly caller?: LiveCaller;
  /** The input for the work of its kind. */
  readonly spec: unknown;
};

/**
 * Spawn a child of the task and resolve when it runs.
 * @throws TaskRefusedError, WorktreeError, JournalDamagedError
 */
export async function spawnTask(
  owners: SpawnOwners,
  parentId: TaskId,
  parentAgentId: AgentId,
  request: SpawnRequest,
  known?: AgentDefinition,
): Promise<SpawnedTask> {
  const { tasks } = owners;
  const parent = liveAgent(owners, parentId, parentAgentId);
  const id = createTaskId(request.kind);
  const child = createChild(owners, parent, id, request, known);
  const { caller, spec } = child instanceof Promise ? await child : child;
  const { admission } = owners.shared;
  const isQueued = admission !== undefined && QUEUED.has(request.kind);
  const task: TaskInput = {
    id,
    kind: request.kind,
    description: request.description,
    parentId,
    toolUseId: request.toolUseId,
    depth: parent.parts.depth + 1,
    isBackgrounded: request.isBackgrounded,
    ...(isQueued ? { isQueued } : {}),
    ...(caller === undefined ? {} : { agentId: caller.parts.id }),
    spec,
  };
  const onProgress = request.kind === 'local_bash' ? request.onProgress : undefined;
  const started = tasks.spawn(parentId, task, onProgress);
  const { outputFile } = await started.catch(async (refusal: unknown) => {
    if (caller !== undefined) owners.factory.end(caller.parts.id, 'refused');
    await owners.worktrees.settle(id);
    throw refusal;
  });
  if (isQueued && tasks.find(id)?.outcome === undefined)
    admission.enter(id, lineOf(tasks, parentId));
  if (caller === undefined) return { id, outputFile };
  return { id, outputFile, agentId: caller.parts.id, agentType: caller.parts.type };
}

function createChild(
  owners: SpawnOwners,
  parent: LiveCaller,
  id: TaskId,
  request: SpawnRequest,
  known: AgentDefinition | undefined,
): Child | Promise<Child> {
  switch (request.kind) {
    case 'local_bash':
      return { spec: specOfCommand(request, parent) };
    case 'monitor_mcp':
      return { spec: specOfMonitor(request) };
    case 'local_workflow':
      return createWorkflow(owners, parent, id, request);
    case 'local_tool':
      return createToolTask(owners, parent, id, request);
    default:
      return createSubAgent(owners, parent, id, request, known);
  }
}

async function createSubAgent(
  owners: SpawnOwners,
  parent: LiveCaller,
  taskId: TaskId,
  request: AgentRequest,
  known: AgentDefinition | undefined,
): Promise<Child> {
  const planned = planAgent(owners, parent, request, known);
  const plan = planned instanceof Promise ? await planned : planned; // most plans need no wait
  const preloaded = needsSkills(plan)
    ? await preloadSkills(plan.definition, parent.parts, request.toolUseId)
    : [];
  const worktree =
    plan.needsWorktree === undefined
      ? undefined
      : await makeWorktree(owners, parent, taskId, plan.needsWorktree);
  try {
    const { id, taskId: parentId } = parent.parts;
    const agent = assembleAgent(owners, liveAgent(owners, parentId, id), {
      taskId,
      plan,
      worktree,
      request,
    });
    const { earlier, definition } = plan;
    const { mail } = owners;
    const unread = earlier?.agent.mail ?? [];
    mail.restore(agent.parts, unread);
    const isTeammate = request.kind === 'in_process_teammate';
    const opening = isTeammate
      ? joinTeam(owners, agent, request.team, owners.settings.context?.teamNotes)
      : [];
    const prompt =
      request.prompt === '' ? [] : [...opening, ...preloaded, textBlock(request.prompt)];
    if (prompt.length > 0) mail.accept(agent.parts, mail.envelope('prompt', id, prompt));
    const spec = {
      inbox: unread.length + Math.min(1, prompt.length),
      staysOpen: isTeammate,
      tellsIdle: isTeammate,
      ...(agent.turnHooks.mayContinue && { concludes: true }),
      maxTurns: definition.maxTurns,
      autoCompact: owners.settings.autoCompact,
      ...(earlier === undefined
        ? {}
        : { turn: earlier.agent.turn, resumesTurn: earlier.agent.resumesTurn }),
      ...earlier?.agent.continued,
    };
    return { caller: agent, spec };
  } catch (error) {
    await owners.worktrees.settle(taskId);
    throw error;
  }
}

/** Whether the agent begins with the texts of skills: a resumed agent has them already. */
function needsSkills({ definition: { skills = [] }, earlier, fork }: AgentPlan): boolean {
  return skills.length > 0 && earlier === undefined && fork === undefined;
}

function makeWorktree(
  owners: SpawnOwners,
  { parts }: LiveCaller,
  taskId: TaskId,
  needs: NonNullable<AgentPlan['needsWorktree']>,
) {
  const { worktrees } = owners;
  if (needs !== 'new') return worktrees.enter(taskId, needs);
  return worktrees.make(taskId, parts.toolContext.files.projectRoot);
}

function assembleAgent(
  owners: SpawnOwners,
  parent: LiveCaller,
  {
    taskId,
    plan,
    worktree,
    request,
  }: {
    readonly taskId: TaskId;
    readonly plan: AgentPlan;
    readonly worktree: Awaited<ReturnType<typeof makeWorktree>> | undefined;
    readonly request: AgentRequest;
  },
): AgentRuntime {
  const { definition, name, model, permissionMode, earlier, fork } = plan;
  checkRoom(owners, parent); // no await between this check and the account
  checkNameIsFree(owners.agents, name); // another agent may have taken the name meanwhile
  return owners.factory.create({
    taskId,
    definition,
    parent,
    parentToolUseId: request.toolUseId,
    name,
    description: request.description,
    model,
    effort: request.effort,
    permissionMode,
    rules: request.rules,
    onlyAllowed: request.onlyAllowed,
    budget: request.taskBudget ?? definition.taskBudget ?? owners.settings.taskBudget,
    worktree,
    earlier,
    fork,
    isTeammate: request.kind === 'in_process_teammate',
  });
}

/** Check the budgets above, which may limit the number of agents. @throws TaskRefusedError */
function checkRoom({ shared }: SpawnOwners, { parts }: LiveCaller): void {
  const refusal = shared.ledger.refusal(parts.id);
  if (refusal !== undefined) throw new TaskRefusedError(describeRefusal(refusal));
}

/** The task and its parents. */
function* lineOf(tasks: TaskRegistry, id: TaskId): Generator<TaskId> {
  for (let task = tasks.find(id); task !== undefined; task = tasks.find(task.parentId ?? ''))
    yield task.id;
}

function liveAgent(owners: SpawnOwners, taskId: TaskId, id: AgentId): LiveCaller {
  const agent = owners.agents.live.get(id);
  if (agent === undefined || owners.tasks.actorOf(taskId) === undefined)
    throw new TaskRefusedError(`the task ${taskId} has ended`);
  return agent;
}

function specOfCommand(
  { command, cwd, timeoutMs, workspace, leavesSandbox, runsAs, isMonitored }: CommandRequest,
  { parts: { activeSkills, effort: own } }: Pick<LiveCaller, 'parts'>,
): BashSpec {
  const effort = activeSkills.effort() ?? own;
  const always = { command, cwd, timeoutMs, workspace, leavesSandbox };
  return { ...always, ...given({ effort, runsAs, isMonitored }) };
}

function specOfMonitor({
  server,
  uri,
  tool,
  input,
  intervalMs,
  timeoutMs,
}: MonitorMcpRequest): MonitorMcpSpec {
  return { server, intervalMs, ...given({ uri, tool, input, timeoutMs }) };
}
