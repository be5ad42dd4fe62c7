import { randomUUID } from 'node:crypto';
import type { AgentId } from '../core/ids.js';
import type { AssistantBlock, Message, UserMessage } from '../core/messages.js';
import type { TaskOutcome, TaskStateBase } from '../core/task-types.js';
import { NO_USAGE } from '../core/usage.js';
import { MAX_MODEL_TRIES } from '../model/retry-policy.js';
import type { StreamEvent } from '../model/stream-event.js';
import type { AgentOrigin, EventBus, MessageMeta, SessionEvents } from './event-bus.js';
import type { SessionMessage, SessionMessageBody, ToldBlock } from './session-message.js';
import type { Journal } from '../journal/journal.js';
import type { SessionStartup } from './session-startup.js';
import { rootAgentOf, toInitMessage, type InitOwners } from './session-messages/init-message.js';
import { toCompactionMessages } from './session-messages/compaction-messages.js';
import { createResultMeter, type MeterOwners } from './session-messages/result-meter.js';
import { createToolProgress } from './session-messages/tool-progress.js';
import {
  isShownTask,
  toTaskMessages,
  type TaskMessageOwners,
} from './session-messages/task-messages.js';

export type SessionMessagesOwners = InitOwners &
  TaskMessageOwners &
  MeterOwners & {
    readonly bus: EventBus;
    readonly journal: Journal;
    readonly startup: SessionStartup;
  };

export type SessionMessagesOptions = {
  readonly emit: (message: SessionMessage) => void;
  /** Also the events of replies that are still coming. */
  readonly includePartial?: boolean;
  /** Also the session's own prompts. */
  readonly replayPrompts?: boolean;
  /** What sub-agents say and think, beside what they do. */
  readonly tellsSubagentText?: boolean;
};

const SAID: ReadonlySet<AssistantBlock['type']> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
]);

const STATE_EVENTS = 'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS';

function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value);
}

/**
 * Tells what happens in a session as the messages of the stream-json contract: `init` first, a result each time the
 * session's own agent has nothing more to do, and nothing after the result that stands for the session's end.
 * Subscribe before anything is awaited after the session was made: what came earlier is not told. The last message is
 * emitted when the session's task has ended.
 */
export function createSessionMessages(
  session: SessionMessagesOwners,
  {
    emit,
    includePartial = false,
    replayPrompts = false,
    tellsSubagentText = true,
  }: SessionMessagesOptions,
): { stop(): void } {
  const { bus, options } = session;
  const meter = createResultMeter(session);
  const progress = createToolProgress(session.shared.timers);
  const tellsState = isSwitchedOn(session.settings.env[STATE_EVENTS]);
  const known = new Set<string>();
  let rootId: AgentId | undefined;
  let isBegun = false;

  const emitWhole = (body: SessionMessageBody, uuid: string): void =>
    emit({ ...body, uuid, session_id: options.id });
  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    emitWhole(toInitMessage(session), randomUUID());
  };
  const put = (body: SessionMessageBody, uuid: string = randomUUID()): void => {
    begin();
    emitWhole(body, uuid);
  };
  const timeNow = (): string => new Date(session.shared.timers.now()).toISOString();
  const isRoot = ({ taskId }: AgentOrigin): boolean => taskId === options.taskId;

  const putState = (state: 'idle' | 'running'): void => {
    if (tellsState) put({ type: 'system', subtype: 'session_state_changed', state });
  };
  const beginTurn = (): void => {
    if (!meter.isRunning) putState('running');
    meter.begin();
  };
  const putResult = (outcome: TaskOutcome): void => {
    rootId ??= rootAgentOf(session)?.parts.id;
    put(meter.finish(outcome, rootId));
    putState('idle');
  };

  /** What could not be written down has not succeeded. */
  const ifWritten = (outcome: TaskOutcome): TaskOutcome => {
    const { journal } = session;
    journal.checkFiles();
    if (journal.failure === undefined) return outcome;
    return { status: 'killed', reason: journal.failure.message };
  };

  const putUser = (origin: AgentOrigin, message: UserMessage, meta: MessageMeta): void => {
    const isReplay = meta.mail === 'prompt' && isRoot(origin);
    if (isReplay && !replayPrompts) return;
    const isSynthetic = meta.mail !== undefined && meta.mail !== 'prompt';
    put(
      {
        type: 'user',
        message,
        parent_tool_use_id: origin.parentToolUseId,
        timestamp: timeNow(),
        ...(isSynthetic ? { isSynthetic } : {}),
        ...(isReplay ? { isReplay } : {}),
      },
      meta.uuid,
    );
  };

  const putAssistant = (origin: AgentOrigin, message: Message, meta: MessageMeta): void => {
    const { id = '', model = '', usage, stopReason = null } = meta.reply ?? {};
    if (isRoot(origin)) meter.countReply(id, stopReason);
    const blocks = message.content as readonly AssistantBlock[]; // of an assistant's message
    const told =
      tellsSubagentText || isRoot(origin) ? blocks : blocks.filter(({ type }) => !SAID.has(type));
    if (told.length === 0) return;
    const content = told.map(
      (block) => (block.type === 'opaque' ? (block.raw as unknown as ToldBlock) : block), // of a kind that has no type
    );
    put(
      {
        type: 'assistant',
        message: {
          id,
          type: 'message',
          role: 'assistant',
          model,
          content,
          stop_reason: stopReason,
          usage: usage ?? NO_USAGE,
        },
        parent_tool_use_id: origin.parentToolUseId,
        timestamp: timeNow(),
      },
      meta.uuid,
    );
  };

  const listeners: { [Name in keyof SessionEvents]?: (...args: SessionEvents[Name]) => void } = {
    'task.status': (task) => {
      if (task.id === options.taskId) return takeSession(task);
      if (!isShownTask(task) || isAfterTheLastWord(task)) return;
      const isNew = !known.has(task.id);
      known.add(task.id);
      for (const message of toTaskMessages(task, isNew, session)) put(message);
      if (task.outcome !== undefined) known.delete(task.id);
    },
    'agent.message': (origin, message, meta) => {
      if (isRoot(origin)) {
        rootId = origin.agentId;
        beginTurn();
        meter.observe(message);
      }
      progress.observe(origin, message);
      if (message.role === 'user') putUser(origin, message, meta);
      else putAssistant(origin, message, meta);
    },
    'agent.sampled': (_origin, durationMs) => meter.countRequest(durationMs),
    'agent.retry': (_origin, { attempt, delayMs, status, message }) =>
      put({
        type: 'system',
        subtype: 'api_retry',
        attempt,
        max_retries: MAX_MODEL_TRIES - 1,
        retry_delay_ms: Math.round(delayMs),
        error_status: status ?? null,
        error: message,
      }),
    'agent.rateLimit': (_origin, limit) => put({ type: 'system', subtype: 'rate_limit', ...limit }),
    'agent.fallback': (_origin, fallback) =>
      put({ type: 'system', subtype: 'model_fallback', ...fallback }),
    'agent.compaction': (origin, news) => {
      if (isRoot(origin)) {
        rootId = origin.agentId;
        beginTurn();
      }
      const agent = isRoot(origin) ? undefined : origin.taskId;
      for (const message of toCompactionMessages(news, agent)) put(message);
    },
    'agent.rest': (origin, rest) => {
      if (isRoot(origin)) putResult(ifWritten(rest));
    },
    'tool.progress': (origin, toolUseId) => {
      const told = progress.tell(origin, toolUseId);
      if (told !== undefined) put(told);
    },
    'hook.notice': (_origin, { event, hook, toolName, message, isFailure }) =>
      put({
        type: 'system',
        subtype: 'hook_response',
        hook_event: event,
        hook_name: hook,
        tool_name: toolName,
        outcome: isFailure ? 'error' : 'success',
        output: message,
      }),
    'permission.denied': (origin, denial) => {
      meter.countDenial(denial);
      put({
        type: 'system',
        subtype: 'permission_denied',
        tool_name: denial.toolName,
        tool_use_id: denial.toolUseId,
        ...(isRoot(origin) ? {} : { agent_id: origin.taskId }),
        message: denial.message,
      });
    },
  };
  if (includePartial)
    listeners['agent.stream'] = (origin, event) => {
      if (tellsSubagentText || isRoot(origin))
        put({
          type: 'stream_event',
          event: event as unknown as StreamEvent, // passed on as the API sent it
          parent_tool_use_id: origin.parentToolUseId,
        });
    };

  /** What still ran in the background when the session had said everything: it ends with it. */
  const isAfterTheLastWord = ({ parentId, outcome }: TaskStateBase): boolean =>
    !meter.isRunning &&
    meter.results > 0 &&
    parentId === options.taskId &&
    outcome?.status === 'killed' &&
    outcome.reason === 'owner ended';

  const takeSession = ({ status, outcome }: TaskStateBase): void => {
    rootId ??= rootAgentOf(session)?.parts.id;
    if (status === 'running' && session.startup.servers === undefined) begin();
    if (outcome === undefined) return;
    const isUntold = meter.results === 0 && outcome.status !== 'completed';
    if (meter.isRunning || isUntold) putResult(outcome);
    stop();
  };

  const names = Object.keys(listeners) as (keyof SessionEvents)[]; // an object literal of ours
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    for (const name of names) bus.off(name, listeners[name] as never); // paired by name, on and off
  };
  for (const name of names) bus.on(name, listeners[name] as never);
  if (session.tasks.find(options.taskId)?.status === 'running') begin();
  void session.startup.servers?.then(() => (isStopped ? undefined : begin()));
  return { stop };
}
