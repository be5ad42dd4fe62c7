import type { AnyActorRef } from 'xstate';
import type { AgentContext } from '../machines/agent-types.js';
import type { McpConnectionContext } from '../machines/mcp-connection.js';
import type { TaskContext } from '../machines/task-setup.js';
import type { ToolCallContext } from '../machines/tool-call.js';
import type { AgentId } from '../core/ids.js';
import type { UsageLedger } from '../model/usage-ledger.js';
import type { AgentRuntime } from './agent/agent-runtime.js';
import type { Activity } from './agent/silence-watch.js';
import type { InspectedActor } from './public-types.js';
import type { SessionRuntime } from './session-types.js';

/** Reads the tree of live actors off their snapshots. Nothing is kept beside them but when each moved last. */
export function inspectTree(
  root: AnyActorRef,
  {
    since,
    sessionOf,
    answerers,
  }: {
    since: (actor: AnyActorRef) => number;
    /** Who could answer an ask now. */
    answerers: () => readonly string[];
    sessionOf: (task: TaskContext) => SessionRuntime;
  },
): InspectedActor {
  const visitTask = (actor: AnyActorRef): InspectedActor => {
    const snapshot = actor.getSnapshot();
    const context = snapshot.context as TaskContext;
    const session = sessionOf(context);
    const agent = context.agentId === undefined ? undefined : session.agents.get(context.agentId);
    const own = session.shared.keeper.list().find((one) => one.taskId === context.id);
    const { work } = snapshot.children as Record<string, AnyActorRef>;
    const tasks = tasksBelow(snapshot, context);
    return {
      id: context.id,
      kind: context.kind,
      label: agent?.parts.name ?? agent?.parts.type ?? context.description,
      state: toPath(snapshot.value),
      since: since(actor),
      waitingFor: Object.keys(tasks).map((id) => `the end of ${id}`),
      ...(own === undefined ? {} : { pid: own.pid }),
      ...(agent === undefined ? {} : countedOf(agent.parts.id, session.shared.ledger)),
      children: [
        ...(agent !== undefined && work !== undefined
          ? [visitAgent(work, agent, session.shared.ledger)]
          : []),
        ...Object.values(tasks).map(visitTask),
      ],
    };
  };

  const visitAgent = (
    actor: AnyActorRef,
    agent: AgentRuntime,
    ledger: UsageLedger,
  ): InspectedActor => {
    const snapshot = actor.getSnapshot();
    const calls = Object.values(snapshot.children as Record<string, AnyActorRef>);
    return {
      id: agent.parts.id,
      kind: 'agent',
      label: agent.parts.name ?? agent.parts.type,
      state: toPath(snapshot.value).replace(/^living\./, ''),
      since: since(actor),
      waitingFor: waitsOfAgent(snapshot.context as AgentContext, agent, ledger),
      usage: ledger.own(agent.parts.id),
      children: calls.map((call) => visitCall(call, agent)),
    };
  };

  const visitCall = (actor: AnyActorRef, agent: AgentRuntime): InspectedActor => {
    const snapshot = actor.getSnapshot();
    const { id, requestId } = snapshot.context as ToolCallContext;
    const state = toPath(snapshot.value);
    return {
      id,
      kind: 'toolCall',
      label: agent.calls.labelOf(id),
      state,
      since: since(actor),
      waitingFor: [waitOfCall(state, requestId, answerers())],
      children: [],
    };
  };

  const snapshot = root.getSnapshot();
  const { desk, ...others } = snapshot.children as Record<string, AnyActorRef>;
  const isConnection = ([id]: readonly [string, AnyActorRef]): boolean => id.startsWith('mcp:');
  const sessions = Object.entries(others).filter((one) => !isConnection(one));
  const asks = Object.entries(desk?.getSnapshot().children as Record<string, AnyActorRef>);
  return {
    id: 'orchestrator',
    kind: 'orchestrator',
    label: 'orchestrator',
    state: toPath(snapshot.value),
    since: since(root),
    waitingFor: [],
    children: [
      ...sessions.map(([, actor]) => visitTask(actor)),
      ...Object.entries(others)
        .filter(isConnection)
        .map(([id, actor]) => visitConnection(id, actor, since(actor))),
      ...asks.map(([id, actor]): InspectedActor => ({
        id,
        kind: 'permissionRequest',
        label: id,
        state: toPath(actor.getSnapshot().value),
        since: since(actor),
        waitingFor: [`an answer by ${answerers().join(' or ') || 'nobody'}`],
        children: [],
      })),
    ],
  };
}

/** A task's live child tasks by id, whoever looks after them. */
function tasksBelow(
  { children }: { readonly children: Readonly<Record<string, AnyActorRef>> },
  { supervisors }: TaskContext,
): Readonly<Record<string, AnyActorRef>> {
  const { work: _work, ...own } = children;
  const tasks: Record<string, AnyActorRef> = {};
  for (const [id, actor] of Object.entries(own))
    if (id in supervisors) Object.assign(tasks, actor.getSnapshot().children);
    else tasks[id] = actor;
  return tasks;
}

function visitConnection(id: string, actor: AnyActorRef, since: number): InspectedActor {
  const { value, context } = actor.getSnapshot() as {
    value: unknown;
    context: McpConnectionContext;
  }; // its machine's
  const state = toPath(value);
  const { server, tries, failure } = context;
  const why = failure === undefined ? '' : ` (${failure.message})`;
  const waits: Readonly<Record<string, string>> = {
    connecting: 'the first answer of the server',
    'reconnecting.waiting': `reconnect ${tries}${why}`,
    'reconnecting.trying': `an answer to reconnect ${tries}${why}`,
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
    children: [],
  };
}

function waitOfCall(
  state: string,
  requestId: string | undefined,
  answerers: readonly string[],
): string {
  if (state === 'deciding.asking')
    return `an answer to ${String(requestId)} by ${answerers.join(' or ') || 'nobody'}`;
  return state === 'queued' ? 'the calls before it' : `the end of ${state}`;
}

function countedOf(agentId: AgentId, ledger: UsageLedger): Partial<InspectedActor> {
  const budget = ledger.budget(agentId);
  return { usage: ledger.subtree(agentId), ...(budget === undefined ? {} : { budget }) };
}

function waitsOfAgent(
  context: AgentContext,
  agent: AgentRuntime,
  ledger: UsageLedger,
): readonly string[] {
  const waits: string[] = [];
  const budgetOf = ledger.waitsFor(agent.parts.id);
  if (budgetOf !== undefined)
    waits.push(`the budget of ${budgetOf}: model calls under way hold what is left of it`);
  const { retry } = context;
  const { activity } = agent.sampling;
  if (context.isSampling && activity !== undefined) waits.push(waitOfModel(activity));
  else if (retry !== undefined)
    waits.push(
      `retry ${retry.attempt} of the model call at ${new Date(retry.at + retry.delayMs).toISOString()} (${retry.message})`,
    );
  for (const { id, phase } of context.calls)
    if (phase === 'queued' || phase === 'started') waits.push(`tool call ${id}`);
  if (context.isCompacting && retry === undefined) waits.push('the summary');
  if (!context.isSampling && context.holding > 0) waits.push(`${context.holding} sub-agents`);
  if (context.staysOpen && waits.length === 0) waits.push('input');
  return waits;
}

function waitOfModel({ startedAt, lastEventAt }: Readonly<Activity>): string {
  return lastEventAt === undefined
    ? `the first word of the model, asked at ${new Date(startedAt).toISOString()}`
    : `the model, last heard at ${new Date(lastEventAt).toISOString()}`;
}

/** `{ running: { active: {} } }` as `running.active`. */
function toPath(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, inner]) => (toPath(inner) === '' ? key : `${key}.${toPath(inner)}`))
    .join('+');
}
