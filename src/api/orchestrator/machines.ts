import type { AnyActorLogic, AnyActorRef } from 'xstate';
import type { TaskInput } from '../../core/events.js';
import { toFailure } from '../../core/errors.js';
import type { AgentId } from '../../core/ids.js';
import { once } from '../../core/lazily.js';
import type { TaskStatus } from '../../core/task-types.js';
import type { AgentInput } from '../../machines/agent/agent-types.js';
import { lazyLogic } from '../../machines/lazy-logic.js';
import { mcpConnectionMachine } from '../../machines/mcp/mcp-connection.js';
import { orchestratorMachine } from '../../machines/task/orchestrator.js';
import { permissionDeskMachine } from '../../machines/approval/permission-desk.js';
import { permissionRequestMachine } from '../../machines/approval/permission-request.js';
import { withPreparedSteps } from '../../machines/steps/prepared-steps.js';
import { supervisorMachine } from '../../machines/task/supervisor.js';
import type { TaskContext } from '../../machines/task/task-setup.js';
import { taskMachine } from '../../machines/task/task.js';
import { createAgentLogic } from '../../actors/agents/runtime/agent-logic.js';
import type { AgentRuntime } from '../../actors/agents/runtime/agent-runtime.js';
import { requireAgent, type LiveCaller } from '../../actors/agents/runtime/live-caller.js';
import type { PermissionRequests } from '../../actors/approvals/permission-requests.js';
import type { McpConnection } from '../../actors/mcp/connection-effects.js';
import { createBashWork, type BashOwners } from '../../actors/spawn/local-bash.js';
import { createMonitorMcpWork, type MonitorMcpOwners } from '../../actors/spawn/monitor-mcp.js';
import { createLocalToolLogic } from '../../actors/spawn/local-tool.js';
import type { Timers } from '../../actors/services/timers.js';
import type { AttemptsOwners } from '../../actors/workflow/workflow-attempts.js';
import type { SharedServices } from '../../actors/agents/session/shared-services.js';
import { endForHooks } from '../../actors/agents/watching-hooks.js';
import type { TaskRecorder } from '../../actors/tasks/task-recorder.js';
import type { Worktrees } from '../../actors/spawn/worktrees.js';
import { createWorkflowLogic } from '../../actors/workflow/workflow-logic.js';

/** The parts of a session that the machines of a task act upon. */
type TaskEffects = BashOwners &
  MonitorMcpOwners &
  AttemptsOwners &
  Parameters<typeof endForHooks>[0] & {
    readonly recorder: TaskRecorder;
    readonly worktrees: Worktrees;
    readonly shared: SharedServices;
  };

/** The parts that machines need. They are looked up by ID, because events and contexts contain only IDs. */
export type MachineEffects = {
  readonly timers: Timers;
  readonly graceMs: number;
  readonly requests: () => PermissionRequests;
  mcp(server: string): McpConnection;
  readonly schedulerLogic: () => AnyActorLogic;
  caller(id: AgentId): LiveCaller;
  session(task: Pick<TaskInput, 'id'>): TaskEffects;
  /** Record the status of a task after each change, and tell the other parts. */
  record(actor: AnyActorRef, status: TaskStatus, task: TaskContext): void;
  /** Return the same logic, with a record of the times of its state changes. */
  timed(logic: AnyActorLogic): AnyActorLogic;
};

const FIRST_SWEEP_PAUSE_MS = 20;
const LAST_SWEEP_PAUSE_MS = 1_000;

/** Provide all machines of one orchestrator with their effects, once, in this module only. @returns the root's logic */
export function provideMachines(effects: MachineEffects): AnyActorLogic {
  const { timed, schedulerLogic } = effects;
  const session = provideTasks(effects);
  const desk = provideDesk(effects);
  return timed(
    withPreparedSteps(
      orchestratorMachine.provide({
        actors: {
          supervisor: lazyLogic(
            once(() => withPreparedSteps(supervisorMachine.provide({ actors: { session } }))),
          ),
          scheduler: timed(lazyLogic(schedulerLogic)),
          mcpConnection: timed(lazyLogic(once(() => provideConnection(effects)))),
          permissionDesk: lazyLogic(() => desk),
        },
      }),
    ),
  );
}

/** Provide the tasks of all kinds, each of which can start others. @returns the logic of a session's task */
function provideTasks(effects: MachineEffects): AnyActorLogic {
  const { timers, caller, session, timed } = effects;
  const agent = (id: AgentId): AgentRuntime => requireAgent(caller(id));
  const agentWork = timed(withPreparedSteps(createAgentLogic(agent)));
  const kinds = {
    local_agent: lazyLogic(() => localAgent),
    local_bash: lazyLogic(once(() => createTask(createBashWork((task) => session(task))))),
    local_workflow: lazyLogic(
      once(() => createTask(withSpec(timed(createWorkflowLogic({ timers, session }))))),
    ),
    local_tool: lazyLogic(
      once(() => createTask(withSpec(timed(createLocalToolLogic({ caller, session }))))),
    ),
    monitor_mcp: lazyLogic(once(() => createTask(createMonitorMcpWork((task) => session(task))))),
    dream: lazyLogic(() => localAgent),
    in_process_teammate: lazyLogic(() => localAgent), // an agent that stays: its spec says so
  };
  const supervisor = lazyLogic(
    once(() => withPreparedSteps(supervisorMachine.provide({ actors: kinds }))),
  );
  const actions = taskActions(effects);
  const createTask = (work: AnyActorLogic): AnyActorLogic =>
    timed(
      withPreparedSteps(
        taskMachine.provide({
          actors: { work, supervisor, ...kinds },
          actions,
        }),
      ),
    );
  const agentOfTask = lazyLogic(
    () => agentWork,
    (input) => withMail(toAgentInput(input) as AgentInput, agent), // the work of these kinds is an agent
  );
  const localAgent = createTask(agentOfTask);
  return lazyLogic(() => localAgent);
}

function taskActions(
  effects: MachineEffects,
): Parameters<typeof taskMachine.provide>[0]['actions'] & object {
  const { timers, graceMs, session, record } = effects;
  return {
    record: ({ context, self }, { status }) => record(self, status, context),
    refuse: ({ context }, { id, reason }) => session(context.input).recorder.refused(id, reason),
    sweep: ({ context, self }) => void sweep(self, context, effects),
    armDeadline: ({ self }) => {
      timers.after(graceMs, () => {
        if (self.getSnapshot().status === 'active') self.send({ type: 'task.force' });
      });
    },
  };
}

/**
 * End the remaining processes of a task. If a look at the processes fails, the task stays in its state until a look
 * succeeds.
 */
async function sweep(
  self: AnyActorRef,
  { input: task, outcome }: Pick<TaskContext, 'input' | 'outcome'>,
  { session, timers }: MachineEffects,
): Promise<void> {
  const effects = session(task);
  const { shared, journal, worktrees } = effects;
  if (task.kind === 'session') await endForHooks(effects, task.id, outcome);
  await shared.agentServers.close(task.id);
  for (let pauseMs = FIRST_SWEEP_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_SWEEP_PAUSE_MS)) {
    try {
      await shared.processes.sweep(task.id);
      break;
    } catch (error) {
      const message = toFailure(error).message;
      journal.append('tasks.jsonl', { type: 'sweep.failed', id: task.id, message });
      await new Promise<void>((resolve) => timers.after(pauseMs, resolve));
    }
  }
  await worktrees.settle(task.id);
  if (self.getSnapshot().status === 'active') self.send({ type: 'task.swept' });
}

function provideDesk({ requests, timed }: MachineEffects): AnyActorLogic {
  return permissionDeskMachine.provide({
    actors: {
      permissionRequest: timed(lazyLogic(once(() => provideRequest(requests)))),
    },
    actions: {
      reply: (_, { answerId, receipt }) => requests().reply(answerId, receipt),
      republish: (_, { request }) => requests().republish(request),
    },
  });
}

function provideRequest(requests: MachineEffects['requests']): AnyActorLogic {
  return permissionRequestMachine.provide({
    actions: {
      evaluate: ({ self }, { requestId }) => requests().evaluate(self, requestId),
      present: (_, { requestId }) => requests().present(requestId),
      withdraw: ({ event }, { requestId }) =>
        requests().withdraw(requestId, event.type === 'ask.answer' ? event.answered.by : undefined),
      persist: ({ self }, { requestId, answered }) => requests().persist(self, requestId, answered),
      reply: (_, { answerId, receipt }) => requests().reply(answerId, receipt),
    },
  });
}

function provideConnection({ mcp }: MachineEffects): AnyActorLogic {
  return mcpConnectionMachine.provide({
    actions: {
      connect: ({ self }, { server }) => void mcp(server).connect(self),
      disconnect: ({ self }, { server }) => void mcp(server).disconnect(self),
      armRetry: ({ self }, { server, delayMs }) => mcp(server).armRetry(self, delayMs),
      armSettled: ({ self }, { server }) => mcp(server).armSettled(self),
      disarm: (_, { server }) => mcp(server).disarm(),
    },
  });
}

/** The input of such work has the fields of its task's kind. */
function withSpec(work: AnyActorLogic): AnyActorLogic {
  return lazyLogic(() => work, toAgentInput);
}

/**
 * The input of the work of a task (an agent, a workflow or a tool): the task's own input, with the fields of its kind
 * from `spec`.
 */
function toAgentInput(input: unknown): unknown {
  const { id, agentId, spec } = input as TaskInput; // the task machine invokes its work with its own input
  return { taskId: id, agentId, ...(spec as object) };
}

/** Count messages that came while the task was pending. */
function withMail(input: AgentInput, agent: (id: AgentId) => AgentRuntime): AgentInput {
  const size = agent(input.agentId).parts.inbox.size();
  return { ...input, inbox: Math.max(input.inbox, size) }; // some messages may have come after the start
}
