import type { SessionId } from '../../core/ids.js';
import type { Environment } from '../../files/folders.js';
import { createRequire } from 'node:module';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { Message } from '../../core/messages.js';
import type { TaskInput } from '../../core/events.js';
import { isTerminalTaskStatus, type TaskKind } from '../../core/task-types.js';
import { isTraced } from '../../model/anthropic/anthropic-sdk.js';
import type { ModelEvent } from '../../model/model.js';
import type { LiveAgents } from '../agents/agent-directory.js';
import type { AgentOrigin, EventSource } from '../services/event-bus.js';

/** The spans of a session. */
export interface SessionTrace {
  /** Variables for a process that a task starts: the span that it belongs to. */
  environment(task: Pick<TaskInput, 'parentId' | 'toolUseId'>): Readonly<Record<string, string>>;
}

const AGENTS: ReadonlySet<TaskKind> = new Set<TaskKind>([
  'session',
  'local_agent',
  'in_process_teammate',
  'dream',
]);

/** A reply so far. */
type Reply = { model: string; input: number; output: number; tools: Map<number, ToolStart> };
type ToolStart = { readonly id: string; readonly name: string };

type TraceOwners = {
  readonly options: { readonly id: SessionId };
  readonly settings: { readonly env: Environment };
  readonly bus: EventSource;
  readonly agents: LiveAgents;
};

/**
 * Make OpenTelemetry spans of a session by the GenAI conventions: `invoke_agent`, `chat`, `execute_tool`. They belong to
 * the active span of the program, or to the `TRACEPARENT` of its environment.
 *
 * @returns undefined if the program collects no traces
 */
export function traceSession(owners: TraceOwners): SessionTrace | undefined {
  if (!isTraced()) return undefined;
  const spans = createSpans(owners);
  traceAgents(owners, spans);
  traceReplies(owners, spans);
  return spans;
}

type Spans = SessionTrace & {
  readonly ofAgents: Map<TaskId, Span>;
  readonly ofTools: Map<string, Span>;
  /** The span of a tool call, or of the agent of a task, as parent of new ones. */
  parentOf(toolUseId: string | undefined, taskId: TaskId | undefined): Context;
  start(
    name: readonly [operation: string, subject: string],
    attributes: Attributes,
    parent: Context,
    startTime?: number,
  ): Span;
  fail(span: Span | undefined, message: string): void;
};

function createSpans({ options, settings }: TraceOwners): Spans {
  const api = loadApi();
  const tracer = api.trace.getTracer('troupe');
  const ofAgents = new Map<TaskId, Span>();
  const ofTools = new Map<string, Span>();
  const outside = outsideOf(api, settings.env);
  const parentOf: Spans['parentOf'] = (toolUseId, taskId) => {
    const span =
      (toolUseId === undefined ? undefined : ofTools.get(toolUseId)) ??
      (taskId === undefined ? undefined : ofAgents.get(taskId));
    return span === undefined ? outside : api.trace.setSpan(api.ROOT_CONTEXT, span);
  };
  return {
    ofAgents,
    ofTools,
    parentOf,
    start([operation, subject], own, parent, startTime) {
      const attributes = {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.conversation.id': options.id,
        ...own,
      };
      const at = startTime === undefined ? {} : { startTime };
      return tracer.startSpan(`${operation} ${subject}`, { attributes, ...at }, parent);
    },
    fail: (span, message) => span?.setStatus({ code: api.SpanStatusCode.ERROR, message }),
    environment({ toolUseId, parentId }) {
      const span = api.trace.getSpanContext(parentOf(toolUseId, parentId));
      return span === undefined ? {} : { TRACEPARENT: toHeader(span) };
    },
  };
}

function traceAgents(
  { bus, agents }: TraceOwners,
  { ofAgents, parentOf, start, fail }: Spans,
): void {
  bus.on('task.status', ({ id, type, status, toolUseId, parentId }) => {
    if (!AGENTS.has(type)) return;
    if (isTerminalTaskStatus(status)) {
      if (status !== 'completed') fail(ofAgents.get(id), status);
      ofAgents.get(id)?.end();
      return void ofAgents.delete(id);
    }
    const agent = [...agents.live.values()].find(({ parts }) => parts.taskId === id)?.parts;
    if (ofAgents.has(id) || agent === undefined) return;
    const name = agent.name ?? agent.type;
    const attributes = { 'gen_ai.agent.name': name, 'gen_ai.agent.id': agent.id };
    ofAgents.set(id, start(['invoke_agent', name], attributes, parentOf(toolUseId, parentId)));
  });
}

function traceReplies({ bus }: TraceOwners, { ofTools, parentOf, start, fail }: Spans): void {
  const replies = new Map<AgentId, Reply>();
  const replyOf = ({ agentId }: AgentOrigin): Reply =>
    replies.get(agentId) ?? { model: '', input: 0, output: 0, tools: new Map() };
  bus.on('agent.stream', (origin, event) => {
    const reply = replyOf(origin);
    replies.set(origin.agentId, reply);
    const tool = readEvent(reply, event);
    if (tool === undefined) return;
    const attributes = { 'gen_ai.tool.name': tool.name, 'gen_ai.tool.call.id': tool.id };
    const parent = parentOf(undefined, origin.taskId);
    ofTools.set(tool.id, start(['execute_tool', tool.name], attributes, parent));
  });
  bus.on('agent.sampled', (origin, durationMs) => {
    const { model, input, output } = replyOf(origin);
    replies.delete(origin.agentId);
    const attributes = {
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
    };
    const now = Date.now();
    const parent = parentOf(undefined, origin.taskId);
    const span = start(['chat', model], attributes, parent, now - durationMs);
    if (model === '') fail(span, 'the request failed');
    span.end(now);
  });
  bus.on('agent.message', (_, message) => {
    for (const { id, isError } of resultsIn(message)) {
      if (isError) fail(ofTools.get(id), 'the tool failed');
      ofTools.get(id)?.end();
      ofTools.delete(id);
    }
  });
}

/** The API of the program that collects traces: it is loaded already. */
function loadApi(): typeof OpenTelemetry {
  return createRequire(import.meta.url)('@opentelemetry/api') as ReturnType<typeof loadApi>;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function outsideOf(
  { context, trace, ROOT_CONTEXT }: ReturnType<typeof loadApi>,
  env: Environment,
): Context {
  const active = context.active();
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(env['TRACEPARENT'] ?? '') ?? [];
  if (trace.getSpan(active) !== undefined || traceId === undefined || spanId === undefined)
    return active;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function toHeader({ traceId, spanId, traceFlags }: ReturnType<Span['spanContext']>): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

type Counts = { readonly input_tokens?: number; readonly output_tokens?: number };

/** Add an event to a reply. @returns the tool call that the event completes */
function readEvent(reply: Reply, event: ModelEvent): ToolStart | undefined {
  const {
    message,
    usage = {},
    index = -1,
    content_block: block,
  } = event as {
    readonly message?: { readonly model?: string; readonly usage?: Counts };
    readonly usage?: Counts;
    readonly index?: number;
    readonly content_block?: {
      readonly type?: string;
      readonly id?: string;
      readonly name?: string;
    };
  }; // the fields of the published events
  reply.model = message?.model ?? reply.model;
  reply.input = usage.input_tokens ?? message?.usage?.input_tokens ?? reply.input;
  reply.output = usage.output_tokens ?? reply.output;
  if (block?.type === 'tool_use' && block.id !== undefined)
    reply.tools.set(index, { id: block.id, name: block.name ?? '' });
  return event.type === 'content_block_stop' ? reply.tools.get(index) : undefined;
}

function resultsIn({
  role,
  content,
}: Message): readonly { readonly id: string; readonly isError: boolean }[] {
  if (role !== 'user') return [];
  return content.flatMap((block) =>
    block.type === 'tool_result'
      ? [{ id: block.tool_use_id, isError: block.is_error === true }]
      : [],
  );
}
