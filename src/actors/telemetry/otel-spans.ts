import type * as OpenTelemetry from '@opentelemetry/api';
import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { RequestId, TaskId } from '../../core/ids.js';
import type { ObservedTask, SessionObserver } from './session-observer.js';
import { chatAttributes, PROVIDER } from './otel-attributes.js';
import type { Environment } from '../../files/folders.js';

type Place = Pick<ObservedTask, 'parentId' | 'toolUseId'>;

/** Spans by the GenAI conventions: `invoke_agent`, `chat`, `execute_tool`, and a wait for a decision below its call. */
export interface SessionSpans extends SessionObserver {
  /** Variables for a process that belongs to this place: its span. */
  environment(place: Place): Readonly<Record<string, string>>;
}

type Session = {
  readonly id: string;
  readonly env: Environment;
};

/** Why a span failed. `type` is the attribute `error.type`. */
type Problem = { readonly type: string; readonly message: string };

const INCOMPLETE: Problem = { type: 'incomplete', message: 'the reply did not come whole' };
const TOOL_FAILED: Problem = { type: 'tool_error', message: 'the tool failed' };

/** @param outside parent of the main agent, if `TRACEPARENT` of the environment does not name one */
export function createSpans(api: typeof OpenTelemetry, session: Session): SessionSpans {
  const tracer = api.trace.getTracer('troupe');
  const outside = outsideOf(api, session.env);
  const tasks = new Map<TaskId, ObservedTask>();
  const ofAgents = new Map<TaskId, Span>();
  const ofCalls = new Map<string, Span>();
  const ofWaits = new Map<RequestId, Span>();

  const contextOf = (place: Place): Context => {
    const span = nearestSpan(place, { tasks, ofAgents, ofCalls });
    return span === undefined ? outside : api.trace.setSpan(api.ROOT_CONTEXT, span);
  };
  const start = (
    [operation, subject]: readonly [operation: string, subject: string],
    place: Place,
    startTime: number,
    own: Attributes,
  ): Span => {
    const attributes = {
      'gen_ai.operation.name': operation,
      ...PROVIDER,
      'gen_ai.conversation.id': session.id,
      ...own,
    };
    const name = `${operation} ${subject}`;
    return tracer.startSpan(name, { attributes, startTime }, contextOf(place));
  };
  const end = <Id>(spans: Map<Id, Span>, id: Id, at: number, problem?: Problem): void => {
    const span = spans.get(id);
    spans.delete(id);
    if (problem !== undefined) fail(span, problem);
    span?.end(at);
  };
  const fail = (span: Span | undefined, { type, message }: Problem): void =>
    void span
      ?.setAttribute('error.type', type)
      .setStatus({ code: api.SpanStatusCode.ERROR, message });

  return {
    environment(place) {
      const span = api.trace.getSpanContext(contextOf(place));
      return span === undefined ? {} : { TRACEPARENT: toHeader(span) };
    },
    taskBegan: (task) => void tasks.set(task.id, task),
    taskEnded: ({ id }) => void tasks.delete(id),
    agentBegan(agent, at) {
      const { id, agentId, name } = agent;
      const own = { 'gen_ai.agent.name': name, 'gen_ai.agent.id': agentId };
      ofAgents.set(id, start(['invoke_agent', name], agent, at, own));
    },
    agentEnded({ id }, status, { to }) {
      end(ofAgents, id, to, status === 'completed' ? undefined : { type: status, message: status });
    },
    requestEnded({ id }, request, { from, to }) {
      const model = request.model ?? request.requestedModel;
      const span = start(['chat', model], { parentId: id }, from, chatAttributes(request));
      if (!request.isComplete) fail(span, INCOMPLETE);
      span.end(to);
    },
    callBegan({ id, toolName, agent }, at) {
      const own = { 'gen_ai.tool.name': toolName, 'gen_ai.tool.call.id': id };
      ofCalls.set(id, start(['execute_tool', toolName], { parentId: agent.id }, at, own));
    },
    callEnded: ({ id }, isError, { to }) => end(ofCalls, id, to, isError ? TOOL_FAILED : undefined),
    waitBegan({ requestId, taskId, toolUseId, toolName, at }) {
      const own = { 'gen_ai.tool.name': toolName, 'gen_ai.tool.call.id': toolUseId };
      const place = { parentId: taskId, toolUseId };
      ofWaits.set(requestId, start(['await_decision', toolName], place, at, own));
    },
    waitEnded({ requestId }, decision, at) {
      const attributes = {
        'troupe.decision': decision?.behavior ?? 'withdrawn',
        ...(decision && { 'troupe.approver': decision.by }),
      };
      ofWaits.get(requestId)?.setAttributes(attributes);
      end(ofWaits, requestId, at);
    },
  };
}

/** The span of a tool call or an agent, or of the nearest one above. */
function nearestSpan(
  { parentId, toolUseId }: Place,
  known: {
    readonly tasks: ReadonlyMap<TaskId, ObservedTask>;
    readonly ofAgents: ReadonlyMap<TaskId, Span>;
    readonly ofCalls: ReadonlyMap<string, Span>;
  },
): Span | undefined {
  const ofCall = toolUseId === undefined ? undefined : known.ofCalls.get(toolUseId);
  if (ofCall !== undefined || parentId === undefined) return ofCall;
  const parent = known.tasks.get(parentId);
  return known.ofAgents.get(parentId) ?? (parent && nearestSpan(parent, known));
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The active span of the program, or else that of `TRACEPARENT`. */
function outsideOf(
  { context, trace, ROOT_CONTEXT }: typeof OpenTelemetry,
  env: Session['env'],
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
