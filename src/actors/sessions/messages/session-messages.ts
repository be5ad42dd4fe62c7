import { withoutAdvice } from '../../../core/advice.js';
import type { AgentId } from '../../../core/ids.js';
import { toolUsesOf } from '../../../core/messages.js';
import type { TaskStateBase } from '../../../core/task-types.js';
import type { JournalHealth } from '../../../journal/journal.js';
import { MAX_MODEL_TRIES } from '../../../model/errors/retry-policy.js';
import type { StreamEvent } from '../../../model/anthropic/stream-event.js';
import { describeReason } from '../../../permissions/describe-reason.js';
import { given } from '../../../core/json/given.js';
import type { AgentOrigin, EventBus, HookStart, SessionEvents } from '../../services/event-bus.js';
import type { SessionMessage } from '../../contract/session-message.js';
import { createAgentWork, type AgentWork } from './agent-work.js';
import { createBackgroundTasks, type BackgroundTasks } from './background-tasks.js';
import { speakerOf } from './speaker.js';
import { listSlashCommands } from '../../contract/slash-commands.js';
import { toApiErrorKind } from '../../contract/api-error.js';
import { toCompactionMessages } from './compaction-messages.js';
import type { InitOwners } from './init-message.js';
import { createMessageWriter, type MessageWriter } from './message-writer.js';
import { createResultMeter, type MeterOwners, type ResultMeter } from './result-meter.js';
import { createSessionTurns, type SessionTurns } from './session-turns.js';
import { toAssistantMessage, toUserMessage } from './spoken-messages.js';
import { isShownTask, placeOf, toTaskMessages, type TaskMessageOwners } from './task-messages.js';
import { createToolProgress } from './tool-progress.js';
import type { SessionStartup } from '../../agents/session/session-startup.js';

export type SessionMessagesOwners = InitOwners &
  TaskMessageOwners &
  MeterOwners & {
    readonly bus: EventBus;
    readonly journal: JournalHealth;
    readonly startup: SessionStartup;
  };

export type SessionMessagesOptions = {
  readonly emit: (message: SessionMessage) => void;
  /** Include the events of streaming replies. */
  readonly includePartial: boolean;
  /** Also the start and the end of each hook. */
  readonly includeHooks: boolean;
  /** Include the prompts of the session. */
  readonly replayPrompts: boolean;
  /** Include text and thinking of sub-agents, beside their tool calls. */
  readonly tellsSubagentText: boolean;
};

type Listeners = { [Name in keyof SessionEvents]?: (...args: SessionEvents[Name]) => void };

/** The receivers of a session's listeners. */
type Teller = {
  readonly session: SessionMessagesOwners;
  readonly options: SessionMessagesOptions;
  readonly writer: MessageWriter;
  readonly meter: ResultMeter;
  readonly turns: SessionTurns;
  readonly work: AgentWork;
  readonly background: BackgroundTasks;
  /** Whether an event comes from the main agent. */
  isRoot(origin: AgentOrigin): boolean;
};

/**
 * Report a session as messages of the stream-json contract: first `init`, then a result each time the main agent
 * becomes idle; the last result ends the session, and nothing follows it. Subscribe before the first `await` after
 * making the session: earlier messages are lost. The last message is emitted when the session's task has ended.
 */
export function createSessionMessages(
  session: SessionMessagesOwners,
  options: SessionMessagesOptions,
): void {
  const { bus, startup, tasks } = session;
  const { taskId } = session.options;
  const writer = createMessageWriter(session, options.emit);
  const meter = createResultMeter(session);
  const turns = createSessionTurns(session, meter, writer);
  const isRoot = (origin: AgentOrigin): boolean => origin.taskId === taskId;
  const work = createAgentWork(session);
  const background = createBackgroundTasks(writer, session.shared.timers);
  const teller: Teller = { session, options, writer, meter, turns, work, background, isRoot };
  const forgetMode = session.permissions.subscribe(({ mode: permissionMode }, before) => {
    if (permissionMode !== before.mode && writer.isBegun())
      writer.put({ type: 'system', subtype: 'status', status: null, permissionMode });
  });
  let isStopped = false;
  const listeners: Listeners = {
    ...tellTasks(teller, () => {
      isStopped = true;
      forgetMode();
      background.stop();
      for (const name of names) bus.off(name, listeners[name] as never); // `on` and `off` use the same names and listeners
    }),
    ...tellConversation(teller),
    ...tellCompactions(teller),
    'command.output': (text) => {
      writer.put({ type: 'system', subtype: 'local_command_output', content: text });
      turns.answer(text);
    },
    'commands.changed': () => {
      const { options: of, settings } = session;
      const commands = listSlashCommands(settings, of.mcp?.offerings.prompts());
      writer.put({ type: 'system', subtype: 'commands_changed', commands });
    },
    ...tellRequests(teller),
    ...tellToolUses(teller),
    ...tellHooks(teller),
  };
  const names = Object.keys(listeners) as (keyof SessionEvents)[]; // our own object literal
  for (const name of names) bus.on(name, listeners[name] as never);
  if (tasks.find(taskId)?.status === 'running') writer.begin();
  void startup.servers()?.then(() => (isStopped ? undefined : writer.begin()));
}

function tellTasks(
  { session, writer, turns, work, background }: Teller,
  stop: () => void,
): Listeners {
  const known = new Map<string, TaskStateBase>();
  return {
    'task.status': (task) => {
      if (task.id === session.options.taskId) {
        if (task.status === 'running' && session.startup.servers() === undefined) writer.begin();
        if (task.outcome !== undefined) background.flush();
        turns.observe(task);
        if (task.outcome !== undefined) stop();
        return;
      }
      if (!isShownTask(task) || turns.isEndedAfterResult(task)) return;
      const before = known.get(task.id);
      known.set(task.id, task);
      for (const message of toTaskMessages(task, before, session, work)) writer.put(message);
      background.observe(task, placeOf(task, session));
      if (task.outcome === undefined) return;
      known.delete(task.id);
      work.forget(task.id);
    },
  };
}

function tellConversation(teller: Teller): Listeners {
  const { session, options, writer, meter, turns, work, background, isRoot } = teller;
  const { put } = writer;
  const { timers } = session.shared;
  const { includePartial, replayPrompts, tellsSubagentText } = options;
  const progress = createToolProgress(timers, ({ agentId }, id) =>
    nameOfCall(session, agentId, id),
  );
  const tellsText = (origin: AgentOrigin): boolean => tellsSubagentText || isRoot(origin);
  const partial: Listeners = {
    'agent.stream': (origin, event) => {
      if (tellsText(origin))
        put({
          type: 'stream_event',
          event: event as unknown as StreamEvent, // unchanged from the API
          parent_tool_use_id: origin.parentToolUseId,
        });
    },
  };
  return {
    ...(includePartial ? partial : {}),
    'agent.message': (origin, message, meta) => {
      if (isRoot(origin)) {
        turns.begin(origin.agentId);
        meter.observe(message);
      }
      progress.observe(origin, message);
      if (meta.promptUuid !== undefined && isRoot(origin)) meter.countPrompt(meta.promptUuid);
      const speaker = isRoot(origin) ? {} : speakerOf(origin, session);
      const timestamp = new Date(timers.now()).toISOString();
      if (message.role === 'user') {
        const isReplay = meta.mail === 'prompt' && isRoot(origin);
        if (isReplay && !replayPrompts) return;
        return put(
          toUserMessage(origin, message, meta, { isReplay, timestamp, speaker }),
          meta.uuid,
        );
      }
      if (isRoot(origin)) meter.countReply(meta.reply?.id ?? '', meta.reply?.stopReason ?? null);
      const how = { tellsText: tellsText(origin), timestamp, speaker };
      const told = toAssistantMessage(origin, message, meta, how);
      if (told !== undefined) put(told, meta.uuid);
      const worked = isRoot(origin) ? undefined : work.count(origin, message);
      if (worked !== undefined) put(worked);
    },
    'agent.idle': (origin, turnOutcome) => {
      if (!isRoot(origin)) return;
      background.flush();
      turns.finish(turnOutcome);
    },
    'tool.progress': (origin, toolUseId, reported) => {
      const told = progress.tell(origin, toolUseId, reported);
      if (told !== undefined) put(told);
    },
  };
}

function tellCompactions({ session, writer: { put }, turns, isRoot }: Teller): Listeners {
  const { timers } = session.shared;
  const begun = new Map<AgentId, () => number>();
  return {
    'agent.compaction': (origin, news) => {
      if (isRoot(origin)) turns.begin(origin.agentId);
      if (news.status === 'started') begun.set(origin.agentId, timers.stopwatch());
      const durationMs = begun.get(origin.agentId)?.() ?? 0;
      if (news.status !== 'started') begun.delete(origin.agentId);
      const agent = isRoot(origin) ? undefined : origin.taskId;
      for (const message of toCompactionMessages(news, agent, durationMs)) put(message);
    },
  };
}

/** The tool of a call that an earlier process of the session began. */
function nameOfCall({ agents }: InitOwners, agentId: AgentId, toolUseId: string): string {
  const messages = agents.live.get(agentId)?.parts.conversation.messages() ?? [];
  const uses = messages.flatMap((one) => (one.role === 'assistant' ? toolUsesOf(one) : []));
  return uses.findLast(({ id }) => id === toolUseId)?.name ?? '';
}

function tellRequests({ writer: { put }, meter }: Teller): Listeners {
  return {
    'agent.sampled': (_origin, durationMs) => meter.countRequest(durationMs),
    'agent.retry': (_origin, { attempt, delayMs, code, status, message }) =>
      put({
        type: 'system',
        subtype: 'api_retry',
        attempt,
        max_retries: MAX_MODEL_TRIES - 1,
        retry_delay_ms: Math.round(delayMs),
        error_status: status ?? null,
        error: toApiErrorKind(code),
        message,
      }),
    'agent.rateLimit': (_origin, { message, severity, resetsAt }) =>
      put({
        type: 'rate_limit_event',
        rate_limit_info: {
          status: 'rejected',
          ...(resetsAt === undefined ? {} : { resetsAt: Math.ceil(resetsAt / 1_000) }),
        },
        message,
        severity,
      }),
    'agent.fallback': (_origin, fallback) =>
      put({ type: 'system', subtype: 'model_fallback', ...fallback }),
  };
}

function tellHooks({ options, writer: { put }, meter, isRoot }: Teller): Listeners {
  const { includeHooks } = options;
  const headOf = ({ hookId, event, hook, toolName }: HookStart) =>
    ({
      hook_id: hookId,
      hook_event: event,
      hook_name: hook,
      ...given({ tool_name: toolName }),
    }) as const;
  return {
    ...(includeHooks && {
      'hook.started': (_origin, run) =>
        put({ type: 'system', subtype: 'hook_started', ...headOf(run) }),
    }),
    'hook.ended': (origin, run) => {
      const { outcome, stdout, stderr, exitCode, message, stopped } = run;
      if (stopped !== undefined && isRoot(origin)) meter.countStop(run.event);
      if (!includeHooks && message === undefined) return;
      put({
        type: 'system',
        subtype: 'hook_response',
        ...headOf(run),
        outcome,
        output: message ?? stdout,
        stdout,
        stderr,
        ...given({ exit_code: exitCode }),
      });
    },
  };
}

function tellToolUses({ writer: { put }, meter, turns, isRoot }: Teller): Listeners {
  return {
    'permission.requested': ({ requestId }) => turns.asks(requestId),
    'permission.withdrawn': (id) => turns.asksNoMore(id),
    'permission.decided': ({ requestId }) => turns.asksNoMore(requestId),
    'permission.denied': (origin, denial) => {
      meter.countDenial(denial);
      put({
        type: 'system',
        subtype: 'permission_denied',
        tool_name: denial.toolName,
        tool_use_id: denial.toolUseId,
        ...(isRoot(origin) ? {} : { agent_id: origin.taskId }),
        decision_reason_type: denial.reason.type,
        decision_reason: withoutAdvice(describeReason(denial.reason)),
        message: denial.message,
      });
    },
  };
}
