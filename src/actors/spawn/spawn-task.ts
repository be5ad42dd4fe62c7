import type { AgentDefinition } from '../../core/agent-definition.js';
import type { TaskInput } from '../../core/events.js';
import { createTaskId, type AgentId, type TaskId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import type { TaskStateBase } from '../../core/task-types.js';
import { describeRefusal } from '../../model/budget-refusal.js';
import type { AgentRequest, SpawnRequest, SpawnedTask } from '../../tools/tool.js';
import type { AgentDriver } from '../agent/agent-parts.js';
import type { AgentRuntime } from '../agent/agent-runtime.js';
import type { SessionRuntime } from '../session-types.js';
import { createWorkflow } from '../workflow/create-workflow.js';
import { TaskRefusedError } from '../task-refused-error.js';
import { joinTeam } from '../teams/join-team.js';
import { checkNameIsFree, planAgent, type AgentPlan } from './plan-agent.js';

/** What the caller knows of an agent: its definition, where the session has none, and what drives it. */
export type GivenAgent = {
  readonly definition?: AgentDefinition | undefined;
  readonly driver?: AgentDriver | undefined;
};

type Child = {
  readonly agent?: AgentRuntime;
  /** What the work of its kind is started with. */
  readonly spec: unknown;
};

/**
 * Asks the task for a child and resolves when it runs.
 * @throws TaskRefusedError, WorktreeError, JournalDamagedError
 */
export async function spawnTask(
  session: SessionRuntime,
  parentId: TaskId,
  parentAgentId: AgentId,
  request: SpawnRequest,
  given: GivenAgent = {},
): Promise<SpawnedTask> {
  const { tasks, recorder } = session;
  const parent = liveAgent(session, parentId, parentAgentId);
  const id = createTaskId(request.kind);
  const { agent, spec }: Child =
    request.kind === 'local_bash'
      ? { spec: specOfCommand(request) }
      : request.kind === 'local_workflow'
        ? createWorkflow(session, parent, id, request)
        : await createSubAgent(session, parent, id, request, given);
  const { admission } = session.shared;
  const isQueued =
    admission !== undefined &&
    given.driver === undefined &&
    (request.kind === 'local_agent' || request.kind === 'in_process_teammate');
  const task: TaskInput = {
    id,
    kind: request.kind,
    description: request.description,
    parentId,
    toolUseId: request.toolUseId,
    depth: parent.parts.depth + 1,
    isBackgrounded: request.isBackgrounded,
    ...(isQueued ? { isQueued } : {}),
    ...(agent === undefined ? {} : { agentId: agent.parts.id }),
    spec,
  };
  if (request.kind === 'local_bash' && request.onProgress !== undefined)
    session.progress.set(id, request.onProgress);
  tasks.send(parentId, { type: 'task.spawn', task });
  await Promise.resolve(); // an owner that is in the middle of a step takes it up right after
  const state: TaskStateBase | undefined = tasks.find(id);
  if (state === undefined) {
    if (agent !== undefined) session.factory.end(agent.parts.id, 'refused');
    await session.worktrees.settle(id);
    throw new TaskRefusedError(recorder.refusalOf(id) ?? `the task ${parentId} has ended`);
  }
  if (isQueued && state.outcome === undefined) admission.enter(id, lineOf(session, parentId));
  const { outputFile } = state;
  if (agent === undefined) return { id, outputFile };
  return { id, outputFile, agentId: agent.parts.id, agentType: agent.parts.type };
}

async function createSubAgent(
  session: SessionRuntime,
  parent: AgentRuntime,
  taskId: TaskId,
  request: AgentRequest,
  { definition: known, driver }: GivenAgent,
): Promise<Child> {
  const planned = planAgent(session, parent, request, known);
  const plan = planned instanceof Promise ? await planned : planned; // most need no wait
  const worktree =
    plan.needsWorktree === undefined
      ? undefined
      : await makeWorktree(session, parent, taskId, plan.needsWorktree);
  try {
    const { id, taskId: parentId } = parent.parts;
    const agent = assembleAgent(session, liveAgent(session, parentId, id), {
      taskId,
      plan,
      worktree,
      request,
      driver,
    });
    const { earlier, definition } = plan;
    const { mail } = session;
    const unread = earlier?.agent.mail ?? [];
    mail.restore(agent.parts, unread);
    const isTeammate = request.kind === 'in_process_teammate';
    const opening = isTeammate ? joinTeam(session, agent, request.team) : [];
    const prompt = request.prompt === '' ? [] : [...opening, textBlock(request.prompt)];
    if (prompt.length > 0) mail.accept(agent.parts, mail.envelope('prompt', id, prompt));
    const spec = {
      inbox: unread.length + Math.min(1, prompt.length),
      staysOpen: isTeammate,
      tellsRest: isTeammate,
      maxTurns: definition.maxTurns,
      autoCompact: driver === undefined && session.options.autoCompact,
      ...(earlier === undefined ? {} : { turn: earlier.agent.turn, goesOn: earlier.agent.goesOn }),
      ...earlier?.agent.continued,
    };
    return { agent, spec };
  } catch (error) {
    await session.worktrees.settle(taskId);
    throw error;
  }
}

function makeWorktree(
  session: SessionRuntime,
  { parts }: AgentRuntime,
  taskId: TaskId,
  needs: NonNullable<AgentPlan['needsWorktree']>,
) {
  const { worktrees } = session;
  if (needs !== 'new') return worktrees.enter(taskId, needs);
  return worktrees.make(taskId, parts.toolContext.projectRoot);
}

function assembleAgent(
  session: SessionRuntime,
  parent: AgentRuntime,
  {
    taskId,
    plan,
    worktree,
    request,
    driver,
  }: {
    readonly taskId: TaskId;
    readonly plan: AgentPlan;
    readonly worktree: Awaited<ReturnType<typeof makeWorktree>> | undefined;
    readonly request: AgentRequest;
    readonly driver: AgentDriver | undefined;
  },
): AgentRuntime {
  const { definition, name, model, permissionMode, earlier, fork } = plan;
  if (driver === undefined) checkRoom(session, parent); // nothing comes between this look and the account
  checkNameIsFree(session, name); // also where another one has taken it while this one was prepared
  return session.factory.create({
    taskId,
    definition,
    parent,
    parentToolUseId: request.toolUseId,
    name,
    description: request.description,
    model,
    permissionMode,
    budget: request.taskBudget ?? definition.taskBudget ?? session.options.taskBudget,
    worktree,
    earlier,
    fork,
    driver,
  });
}

/** Budgets above it may limit how many agents there are. @throws TaskRefusedError */
function checkRoom({ shared }: SessionRuntime, { parts }: AgentRuntime): void {
  const refusal = shared.ledger.refusal(parts.id);
  if (refusal !== undefined) throw new TaskRefusedError(describeRefusal(refusal));
}

/** The task and those above it. */
function* lineOf({ tasks }: SessionRuntime, id: TaskId): Generator<TaskId> {
  for (let task = tasks.find(id); task !== undefined; task = tasks.find(task.parentId ?? ''))
    yield task.id;
}

function liveAgent(session: SessionRuntime, taskId: TaskId, id: AgentId): AgentRuntime {
  const agent = session.agents.live.get(id);
  if (agent === undefined || session.tasks.actorOf(taskId) === undefined)
    throw new TaskRefusedError(`the task ${taskId} has ended`);
  return agent;
}

function specOfCommand({
  command,
  cwd,
  timeoutMs,
  workspace,
  leavesSandbox,
  runsAs,
}: Extract<SpawnRequest, { kind: 'local_bash' }>): unknown {
  return {
    command,
    cwd,
    timeoutMs,
    workspace,
    leavesSandbox,
    ...(runsAs !== undefined && { runsAs }),
  };
}
