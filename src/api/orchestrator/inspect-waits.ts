import type { McpServerStatus } from '../../core/agents/mcp-types.js';
import type { AgentContext } from '../../machines/agent/agent-types.js';
import type { AgentRuntime } from '../../actors/agents/runtime/agent-runtime.js';
import type { ToolCaller } from '../../actors/agents/runtime/tool-caller.js';
import type { Activity } from '../../actors/agents/requests/silence-watch.js';
import type { SharedServices } from '../../actors/agents/session/shared-services.js';

export type WaitingCall = {
  /** State of its machine. */
  readonly state: string;
  readonly requestId: string | undefined;
  readonly approvers: readonly string[];
  /** The task that the call started. */
  readonly task: string | undefined;
  /** Epoch ms; only for a Sleep. */
  readonly sleepsUntil: number | undefined;
  /** Names of the hooks that run now. */
  readonly hooks: readonly string[];
};

/** Describe what a tool call waits for. */
export function waitsOfCall(call: WaitingCall): readonly string[] {
  const { state, requestId, approvers, task, sleepsUntil } = call;
  const hooks = call.hooks.map((name) => `the hook ${name}`);
  switch (state) {
    case 'queued':
      return ['the calls before it'];
    case 'deciding.asking':
      return [
        `a decision on ${String(requestId)} by ${approvers.join(' or ') || 'nobody'}`,
        ...hooks,
      ];
    case 'executing':
      if (sleepsUntil !== undefined) return [`mail, or ${new Date(sleepsUntil).toISOString()}`];
      return [task === undefined ? 'the result of its tool' : `the end of ${task}`];
    default:
      return hooks.length > 0 ? hooks : [`the end of ${state}`];
  }
}

/** Describe what an agent waits for, and the calls that wait in it. */
export function waitsOfAgent(
  context: AgentContext,
  agent: AgentRuntime,
  services: Services,
): readonly string[] {
  const count = context.effect?.kind === 'preparing' ? 0 : agent.parts.inbox.size(); // then the agent is about to take the messages
  const untaken = count === 0 ? [] : [`${count} unread ${count === 1 ? 'message' : 'messages'}`];
  return [...causesOf(context, agent, services), ...untaken];
}

type Services = Pick<SharedServices, 'ledger' | 'rateLimits'> & {
  readonly servers: readonly McpServerStatus[];
};

function causesOf(
  context: AgentContext,
  agent: AgentRuntime,
  { ledger, rateLimits, servers }: Services,
): readonly string[] {
  const waits: string[] = [];
  waits.push(...waitsForServers(agent, servers));
  const budgetOf = ledger.waitsFor(agent.parts.id);
  if (budgetOf !== undefined)
    waits.push(`the budget of ${budgetOf}: running model requests have reserved the rest of it`);
  const { retry, kind } = context.effect ?? {};
  const isCompacting = kind === 'compacting';
  const model = agent.sampling.model();
  const activity = (isCompacting ? agent.compaction : agent.sampling).activity();
  const heldUntil = rateLimits.until(model);
  const asks = isCompacting || kind === 'sampling';
  const isUnderWay =
    asks &&
    activity !== undefined &&
    (!isCompacting || retry === undefined || activity.startedAt > retry.at); // not the attempt that failed
  if (isUnderWay) waits.push(`${isCompacting ? 'the summary: ' : ''}${waitOfModel(activity)}`);
  else if (asks && heldUntil !== undefined)
    waits.push(`the rate limit of ${model} until ${new Date(heldUntil).toISOString()}`);
  if (retry !== undefined && !isUnderWay)
    waits.push(
      `retry ${retry.attempt} of the model request at ${new Date(retry.at + retry.delayMs).toISOString()} (${retry.message})`,
    );
  for (const { id, phase } of context.batch.calls)
    if (phase === 'queued' || phase === 'started') waits.push(`tool call ${id}`);
  if (isCompacting && waits.length === 0) waits.push('the summary');
  if (waits.length > 0 || kind === 'sampling' || kind === 'preparing') return waits;
  if (context.holding > 0)
    waits.push(context.holding === 1 ? '1 sub-agent' : `${context.holding} sub-agents`);
  if (context.staysOpen) waits.push(context.input.tellsIdle === true ? 'mail' : 'input');
  return waits;
}

/** Describe what a tool that is called without an agent waits for. */
export function waitsOfTool(caller: ToolCaller, servers: Services['servers']): readonly string[] {
  const calls = caller.runs.list().map(({ id }) => `tool call ${id}`);
  return calls.length > 0 ? calls : waitsForServers(caller, servers);
}

/** The servers that a first request, or a call, waits for. */
function waitsForServers(
  caller: Pick<ToolCaller, 'servers'>,
  servers: Services['servers'],
): readonly string[] {
  if (!caller.servers.isWaiting()) return [];
  return servers
    .filter(({ status }) => status === 'connecting')
    .map(({ name }) => `the MCP server ${name}`);
}

function waitOfModel({ startedAt, lastEventAt }: Readonly<Activity>): string {
  return lastEventAt === undefined
    ? `the first event of the model, requested at ${new Date(startedAt).toISOString()}`
    : `the next event of the model, the last one came at ${new Date(lastEventAt).toISOString()}`;
}
