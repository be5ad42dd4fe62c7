import type { TaskInput } from '../../core/events.js';
import { createTaskId, type AgentId, type TaskId } from '../../core/ids.js';
import { textBlock } from '../../core/messages.js';
import type { TaskStateBase } from '../../core/task-types.js';
import type { SpawnRequest, SpawnedTask } from '../../tools/tool.js';
import type { AgentRuntime } from '../agent/agent-runtime.js';
import type { SessionRuntime } from '../session-types.js';
import { TaskRefusedError } from '../task-refused-error.js';
import { checkNameIsFree, planAgent, type AgentPlan } from './plan-agent.js';

type AgentRequest = Extract<SpawnRequest, { kind: 'local_agent' }>;
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
): Promise<SpawnedTask> {
  const { board } = session;
  const parent = liveAgent(session, parentId, parentAgentId);
  const id = createTaskId(request.kind);
  const { agent, spec }: Child =
    request.kind === 'local_bash'
      ? { spec: specOfCommand(request) }
      : await createSubAgent(session, parent, id, request);
  const task: TaskInput = {
    id,
    kind: request.kind,
    description: request.description,
    parentId,
    toolUseId: request.toolUseId,
    depth: parent.parts.depth + 1,
    isBackgrounded: request.isBackgrounded,
    ...(agent === undefined ? {} : { agentId: agent.parts.id }),
    spec,
  };
  if (request.kind === 'local_bash' && request.onProgress !== undefined)
    session.progress.set(id, request.onProgress);
  const at = session.shared.timers.now();
  board.actorOf(parentId)?.send({ type: 'task.spawn', task, at });
  await Promise.resolve(); // an owner that is in the middle of a step takes it up right after
  const state: TaskStateBase | undefined = board.find(id);
  if (state === undefined) {
    if (agent !== undefined) session.forgetAgent(agent.parts.id, 'refused');
    await session.worktrees.settle(id);
    throw new TaskRefusedError(board.refusalOf(id) ?? `the task ${parentId} has ended`);
  }
  const { outputFile } = state;
  if (agent === undefined) return { id, outputFile };
  return { id, outputFile, agentId: agent.parts.id, agentType: agent.parts.type };
}

async function createSubAgent(
  session: SessionRuntime,
  parent: AgentRuntime,
  taskId: TaskId,
  request: AgentRequest,
): Promise<Child> {
  const planned = planAgent(session, parent, request);
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
    });
    const { earlier, definition } = plan;
    const mail = earlier?.agent.mail ?? [];
    for (const envelope of mail) agent.parts.inbox.put(envelope); // on disk already
    agent.accept(session.envelope('prompt', id, [textBlock(request.prompt)]));
    const spec = {
      inbox: mail.length + 1,
      staysOpen: false,
      maxTurns: definition.maxTurns,
      autoCompact: session.options.autoCompact,
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
  }: {
    readonly taskId: TaskId;
    readonly plan: AgentPlan;
    readonly worktree: Awaited<ReturnType<typeof makeWorktree>> | undefined;
    readonly request: AgentRequest;
  },
): AgentRuntime {
  const { definition, name, model, permissionMode, earlier, fork } = plan;
  checkNameIsFree(session, name); // also where another one has taken it while this one was prepared
  return session.createAgent({
    taskId,
    definition,
    parent,
    parentToolUseId: request.toolUseId,
    name,
    model,
    permissionMode,
    budget: request.taskBudget ?? definition.taskBudget ?? session.options.taskBudget,
    worktree,
    earlier,
    fork,
  });
}

function liveAgent(session: SessionRuntime, taskId: TaskId, id: AgentId): AgentRuntime {
  const agent = session.agents.get(id);
  if (agent === undefined || session.board.actorOf(taskId) === undefined)
    throw new TaskRefusedError(`the task ${taskId} has ended`);
  return agent;
}

function specOfCommand({
  command,
  cwd,
  timeoutMs,
  workspace,
  leavesSandbox,
}: Extract<SpawnRequest, { kind: 'local_bash' }>): unknown {
  return { command, cwd, timeoutMs, workspace, leavesSandbox };
}
