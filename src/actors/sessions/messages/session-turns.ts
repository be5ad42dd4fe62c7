import type { AgentId, RequestId } from '../../../core/ids.js';
import { OWNER_ENDED, type TaskOutcome, type TaskStateBase } from '../../../core/task-types.js';
import type { JournalHealth } from '../../../journal/journal.js';
import type { SessionMessageBody } from '../../contract/session-message.js';
import { rootAgentOf, type InitOwners } from './init-message.js';
import type { MessageWriter } from './message-writer.js';
import type { ResultMeter } from './result-meter.js';

const STATE_EVENTS = 'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS';

/** The turns of the main agent. Each turn ends in a result. */
export interface SessionTurns {
  /** The agent has begun to work. */
  begin(agentId: AgentId): void;
  /** The agent is idle. */
  finish(outcome: TaskOutcome): void;
  /** A command has answered without the agent: an idle session has a result. */
  answer(text: string): void;
  /** A permission request waits for a decision. */
  asks(request: RequestId): void;
  /** The request does not wait any more. */
  asksNoMore(request: RequestId): void;
  /** The session's task has changed. */
  observe(task: TaskStateBase): void;
  /** Whether a task was ended with the session, after its last result. */
  isEndedAfterResult(task: TaskStateBase): boolean;
}

export function createSessionTurns(
  session: InitOwners & { readonly journal: JournalHealth },
  meter: ResultMeter,
  { put }: MessageWriter,
): SessionTurns {
  const { options, settings, journal } = session;
  const tellsState = isSwitchedOn(settings.env[STATE_EVENTS]);
  let rootId: AgentId | undefined;

  const waiting = new Set<RequestId>();

  const putState = (state: 'idle' | 'running' | 'requires_action'): void => {
    if (tellsState) put({ type: 'system', subtype: 'session_state_changed', state });
  };
  const putResult = (outcome: TaskOutcome): void => {
    const agent = rootAgentOf(session);
    rootId ??= agent?.parts.id;
    const refusal = refusalOf(outcome, agent?.parts.model ?? session.options.modelName);
    if (refusal !== undefined) put(refusal);
    put(meter.finish(outcome, rootId));
    putState('idle');
  };
  return {
    begin(agentId) {
      rootId = agentId;
      if (!meter.isRunning()) putState('running');
      meter.begin();
    },
    answer(text) {
      if (meter.isRunning()) return;
      meter.begin();
      put(meter.finish({ status: 'completed', result: text }, rootAgentOf(session)?.parts.id));
    },
    asks(request) {
      if (waiting.size === 0) putState('requires_action');
      waiting.add(request);
    },
    asksNoMore(request) {
      if (waiting.delete(request) && waiting.size === 0 && meter.isRunning()) putState('running');
    },
    finish(outcome) {
      journal.checkFiles();
      const failure = journal.failure(); // a session that could not be written has not succeeded
      putResult(failure === undefined ? outcome : { status: 'killed', reason: failure.message });
    },
    observe({ outcome }) {
      rootId ??= rootAgentOf(session)?.parts.id;
      if (outcome === undefined) return;
      const isPlain = outcome.status === 'completed' && outcome.deferredToolUse === undefined;
      const isUntold = meter.results() === 0 && !isPlain;
      if (meter.isRunning() || isUntold) putResult(outcome);
    },
    isEndedAfterResult: ({ parentId, outcome }) =>
      !meter.isRunning() &&
      meter.results() > 0 &&
      parentId === options.taskId &&
      outcome?.status === 'killed' &&
      outcome.reason === OWNER_ENDED,
  };
}

function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value);
}

function refusalOf(outcome: TaskOutcome, model: string): SessionMessageBody | undefined {
  if (outcome.status !== 'failed' || outcome.failure.code !== 'REFUSED') return undefined;
  const { message, details } = outcome.failure;
  const textIn = (key: string): string | null => {
    const value = details?.[key];
    return typeof value === 'string' ? value : null;
  };
  return {
    type: 'system',
    subtype: 'model_refusal_no_fallback',
    original_model: model,
    request_id: null,
    api_refusal_category: textIn('category'),
    api_refusal_explanation: textIn('explanation'),
    content: message,
  };
}
