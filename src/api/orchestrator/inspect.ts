import type { SessionMcp } from '../../actors/agents/session/session-options.js';
import type { SessionId } from '../../core/ids.js';
import type { AnyActorRef } from 'xstate';
import type { AgentContext } from '../../machines/agent/agent-types.js';
import type { McpConnectionContext } from '../../machines/mcp/mcp-connection.js';
import type { OrchestratorContext } from '../../machines/task/orchestrator.js';
import type { TaskContext } from '../../machines/task/task-setup.js';
import type { WorkflowContext } from '../../workflow/plan/workflow-types.js';
import type { TaskInput } from '../../core/events.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import { given } from '../../core/json/given.js';
import type { UsageTotals } from '../../usage/usage-ledger.js';
import type { LiveProcess } from '../../processes/task-runs.js';
import type { AgentRuntime } from '../../actors/agents/runtime/agent-runtime.js';
import { isAgent, type LiveCaller } from '../../actors/agents/runtime/live-caller.js';
import type { CallView } from '../../actors/agents/runtime/call-runs.js';
import type { Mailroom } from '../../actors/mail/mailroom.js';
import type { InspectedActor } from '../../actors/contract/inspected-actor.js';
import { inspectScheduler, inspectTriggers } from '../../actors/schedule/inspect-scheduler.js';
import type { RemoteTriggers } from '../../actors/agents/session/scheduler-types.js';
import type { LiveAgents } from '../../actors/agents/agent-directory.js';
import type { SessionHooks } from '../../actors/hooks/session-hooks.js';
import type { SharedServices } from '../../actors/agents/session/shared-services.js';
import { describeProgress } from '../../tools/calls/describe-progress.js';
import { waitsOfAgent, waitsOfCall, waitsOfTool, type WaitingCall } from './inspect-waits.js';
import { waitsOfWorkflow } from '../../actors/workflow/inspect-workflow.js';

/** Parts of a session in addition to its actors. */
type InspectOwners = {
  readonly options: { readonly id: SessionId; readonly mcp: SessionMcp | undefined };
  readonly shared: SharedServices;
  readonly agents: LiveAgents;
  readonly hooks: Pick<SessionHooks, 'running'>;
  readonly mail: Pick<Mailroom, 'deadLetters'>;
};

/** Parts to read the tree with. */
type Sources = {
  since: (actor: AnyActorRef) => number;
  /** Running commands and servers. */
  processes: () => readonly LiveProcess[];
  triggers: Pick<RemoteTriggers, 'all'>;
  /** Approvers that could decide this permission request now. */
  approvers: (requestId: string) => readonly string[];
  sessionOf: (task: TaskInput) => InspectOwners;
  /** Places in the queue of the tasks that wait for a place, to start or to continue. */
  places: ReadonlyMap<TaskId, number>;
};

/** Read the tree of live actors from their snapshots. Only the time of each actor's last change is kept in addition. */
export function inspectTree(root: AnyActorRef, sources: Sources): InspectedActor {
  const { since, approvers, processes, triggers } = sources;
  const snapshot = root.getSnapshot();
  const { desk, scheduler, ...others } = snapshot.children as Record<string, AnyActorRef>;
  const { supervisors } = snapshot.context as OrchestratorContext;
  const sessions = Object.keys(supervisors).flatMap((id) => Object.values(childrenOf(others[id])));
  const connections = Object.entries(others).filter(([id]) => id.startsWith('mcp:'));
  const asks = Object.entries(childrenOf(desk));
  return {
    id: 'orchestrator',
    kind: 'orchestrator',
    label: 'orchestrator',
    state: toPath(snapshot.value),
    since: since(root),
    waitingFor: [],
    children: [
      ...sessions.map((actor) => visitTask(actor, sources)),
      ...connections.map(([id, actor]) =>
        visitConnection(
          id,
          actor,
          since(actor),
          processes().find(({ taskId }) => taskId === id),
        ),
      ),
      ...(scheduler === undefined ? [] : [inspectScheduler(scheduler, since(scheduler))]),
      ...inspectTriggers(triggers),
      ...asks.map(([id, actor]): InspectedActor => ({
        id,
        kind: 'permissionRequest',
        label: id,
        state: toPath(actor.getSnapshot().value),
        since: since(actor),
        waitingFor: [`a decision by ${approvers(id).join(' or ') || 'nobody'}`],
        children: [],
      })),
    ],
  };
}

function visitTask(actor: AnyActorRef, sources: Sources): InspectedActor {
  const snapshot = actor.getSnapshot();
  const context = snapshot.context as TaskContext;
  const task = context.input;
  const session = sources.sessionOf(task);
  const agent = task.agentId === undefined ? undefined : session.agents.live.get(task.agentId);
  const processes = sources.processes().filter((one) => one.taskId === task.id);
  const [own] = processes;
  const { work } = snapshot.children as Record<string, AnyActorRef>;
  const tasks = tasksBelow(snapshot, context);
  /** Agents of a workflow all have the same type. */
  const isPart = agent?.parts.asksNoModel === true;
  return {
    id: task.id,
    kind: task.kind,
    label: agent?.parts.name ?? (isPart ? undefined : agent?.parts.type) ?? task.description,
    state: toPath(snapshot.value),
    since: sources.since(actor),
    waitingFor: [
      ...waitsForSlot(task.id, sources),
      ...processes.map(({ pid }) => `the end of process ${pid}`),
      ...(task.kind === 'local_tool' && agent !== undefined
        ? waitsOfTool(agent, session.options.mcp?.servers() ?? [])
        : []),
      ...Object.keys(tasks).map((id) => `the end of ${id}`),
    ],
    ...(own === undefined ? {} : { pid: own.pid }),
    ...(task.kind === 'session' ? { sessionId: session.options.id } : {}),
    ...(agent === undefined ? {} : countedOf(agent.parts.id, session.shared.ledger)),
    children: [
      ...(agent !== undefined && work !== undefined
        ? visitWork(task, work, { agent, session, tasks, sources })
        : []),
      ...Object.values(tasks).map((below) => visitTask(below, sources)),
      ...(task.kind === 'session' ? inspectDeadLetters(session.mail) : []),
    ],
  };
}

/** An agent that works on a task, and the parts to read it with. */
type AtWork = {
  readonly agent: LiveCaller;
  readonly session: InspectOwners;
  readonly tasks: Readonly<Record<string, AnyActorRef>>;
  readonly sources: Sources;
};

function visitWork(
  { kind }: TaskInput,
  work: AnyActorRef,
  atWork: AtWork,
): readonly InspectedActor[] {
  if (kind === 'local_workflow') return [visitWorkflow(work, atWork)];
  if (kind === 'local_tool') return visitCalls(atWork);
  return isAgent(atWork.agent) ? [visitAgent(work, atWork.agent, atWork)] : [];
}

function waitsForSlot(id: TaskId, { places }: Pick<Sources, 'places'>): readonly string[] {
  const place = places.get(id);
  return place === undefined ? [] : [`a slot (${place} of ${places.size} in the queue)`];
}

function visitWorkflow(actor: AnyActorRef, { agent, sources }: AtWork): InspectedActor {
  const { parts } = agent;
  const snapshot = actor.getSnapshot();
  return {
    id: parts.id,
    kind: 'workflow',
    label: parts.type,
    state: toPath(snapshot.value).replace(/^living\./, ''),
    since: sources.since(actor),
    waitingFor: waitsOfWorkflow(snapshot.context as WorkflowContext), // the type that its machine has
    children: [],
  };
}

function visitAgent(actor: AnyActorRef, agent: AgentRuntime, atWork: AtWork): InspectedActor {
  const { session, sources } = atWork;
  const { shared, options } = session;
  const snapshot = actor.getSnapshot();
  return {
    id: agent.parts.id,
    kind: 'agent',
    label: agent.parts.name ?? agent.parts.type,
    state: toPath(snapshot.value).replace(/^living\./, ''),
    since: sources.since(actor),
    waitingFor: [
      ...waitsForSlot(agent.parts.taskId, sources),
      ...waitsOfAgent(snapshot.context as AgentContext, agent, {
        ...shared,
        servers: options.mcp?.servers() ?? [],
      }),
    ],
    usage: shared.ledger.own(agent.parts.id),
    children: visitCalls(atWork),
  };
}

function visitCalls({ agent, session, tasks, sources }: AtWork): readonly InspectedActor[] {
  const taskOf = (toolUseId: string): string | undefined =>
    Object.keys(tasks).find((id) => {
      const context = tasks[id]?.getSnapshot().context as TaskContext;
      return context.input.toolUseId === toolUseId;
    });
  return agent.runs.list().map((call) => {
    const started = { task: taskOf(call.id), hooks: session.hooks.running(call.id) };
    return visitCall(call, agent, started, sources);
  });
}

function visitCall(
  { id, state, since, requestId }: CallView,
  agent: LiveCaller,
  started: Pick<WaitingCall, 'task' | 'hooks'>,
  { approvers }: Sources,
): InspectedActor {
  const { label, reported } = agent.calls.shownAs(id);
  return {
    id,
    kind: 'toolCall',
    label,
    state,
    since,
    ...given({ progress: reported && describeProgress(reported) }),
    waitingFor: waitsOfCall({
      state,
      requestId,
      approvers: requestId === undefined ? [] : approvers(requestId),
      sleepsUntil: agent.parts.toolContext.tasks.schedule?.sleepsUntil(id),
      ...started,
    }),
    children: [],
  };
}

function childrenOf(actor: AnyActorRef | undefined): Readonly<Record<string, AnyActorRef>> {
  return actor?.getSnapshot().children ?? {};
}

/** A task's live child tasks by ID, with any parent actor. */
function tasksBelow(
  { children }: { readonly children: Readonly<Record<string, AnyActorRef>> },
  { supervisors }: TaskContext,
): Readonly<Record<string, AnyActorRef>> {
  const { work: _work, ...own } = children;
  const tasks: Record<string, AnyActorRef> = {};
  for (const [id, actor] of Object.entries(own))
    if (id in supervisors) Object.assign(tasks, childrenOf(actor));
    else tasks[id] = actor;
  return tasks;
}

function visitConnection(
  id: string,
  actor: AnyActorRef,
  since: number,
  process: LiveProcess | undefined,
): InspectedActor {
  const { value, context } = actor.getSnapshot() as {
    value: unknown;
    context: McpConnectionContext;
  }; // the type that its machine has
  const state = toPath(value);
  const { server, tries, failure } = context;
  const why = failure === undefined ? '' : ` (${failure.message})`;
  const waits: Readonly<Record<string, string>> = {
    connecting: 'the first answer of the server',
    'reconnecting.waiting': `reconnect ${tries}${why}`,
    'reconnecting.trying': `an answer to reconnection attempt ${tries}${why}`,
    closing: 'the end of the server',
  };
  const wait = waits[state];
  return {
    id,
    kind: 'mcpConnection',
    label: server,
    state,
    since,
    waitingFor: wait === undefined ? [] : [wait],
    ...(process === undefined ? {} : { pid: process.pid }),
    children: [],
  };
}

function countedOf(agentId: AgentId, ledger: UsageTotals): Partial<InspectedActor> {
  const budget = ledger.budget(agentId);
  return { usage: ledger.subtree(agentId), ...(budget === undefined ? {} : { budget }) };
}

/** `{ running: { active: {} } }` as `running.active`. */
function toPath(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, inner]) => (toPath(inner) === '' ? key : `${key}.${toPath(inner)}`))
    .join('+');
}

function inspectDeadLetters(mail: Pick<Mailroom, 'deadLetters'>): readonly InspectedActor[] {
  return mail.deadLetters().map(({ id, name, to, at }) => ({
    id,
    kind: 'deadLetter',
    label: `for ${name}`,
    state: 'dead',
    since: at,
    waitingFor: [`the resume of ${to}`],
    children: [],
  }));
}
