import type { Timers } from '../../services/timers.js';
import type { UsageTotals } from '../../../usage/usage-ledger.js';
import { given } from '../../../core/json/given.js';
import type { Failure } from '../../../core/failure.js';
import type { AgentId } from '../../../core/ids.js';
import type { Message } from '../../../core/messages.js';
import type { DeferredToolUse, TaskOutcome } from '../../../core/task-types.js';
import { NO_USAGE, webSearchesOf } from '../../../core/tasks/usage.js';
import { INTERRUPTED } from '../../../machines/agent/agent-failures.js';
import { contextWindowOf } from '../../../model/choice/context-window.js';
import type { UsageTotal } from '../../../usage/usage-account.js';
import type { PermissionDenial } from '../../services/event-bus.js';
import { cancelText } from '../../agents/calls/synthetic-results.js';
import type {
  ModelUsage,
  ResultError,
  ResultMessage,
  ResultSuccess,
  TerminalReason,
} from '../../contract/result-message.js';
import { apiStatusOf } from '../../contract/api-error.js';
import type { SessionOptions } from '../../agents/session/session-options.js';

/**
 * Count the values of a result message: turns, times and denials since the previous result; usage and cost since the
 * start of the session.
 */
export interface ResultMeter {
  /** The main agent received or sent a message since the last result. */
  isRunning(): boolean;
  results(): number;
  begin(): void;
  countReply(replyId: string, stopReason: string | null): void;
  /** Note a message of the main agent. */
  observe(message: Message): void;
  /** @param uuid the client's ID of a prompt */
  countPrompt(uuid: string): void;
  countRequest(durationMs: number): void;
  countDenial(denial: PermissionDenial): void;
  /** A hook of this event has ended the turn. */
  countStop(event: string): void;
  /** Make the result and start again. */
  finish(outcome: TaskOutcome, agentId: AgentId | undefined): ResultMessage;
}

export type MeterOwners = {
  readonly shared: { readonly ledger: UsageTotals; readonly timers: Timers };
  readonly options: Pick<SessionOptions, 'maxTokens' | 'choices'>;
};

export function createResultMeter({ shared, options }: MeterOwners): ResultMeter {
  const { ledger, timers } = shared;
  const { maxTokens } = options;
  const isStructured = options.choices.outputSchema !== undefined;
  let isRunning = false;
  let results = 0;
  let elapsed = timers.stopwatch();
  let apiMs = 0;
  let turns = 0;
  let lastReply: string | undefined;
  let stopReason: string | null = null;
  let denials: PermissionDenial[] = [];
  let wereToolsCut = false;
  let prompts: string[] = [];
  let stoppedBy: string | undefined;

  return {
    isRunning: () => isRunning,
    results: () => results,
    begin() {
      if (isRunning) return;
      isRunning = true;
      if (results > 0) elapsed = timers.stopwatch();
    },
    countReply(replyId, reason) {
      if (replyId !== lastReply) turns += 1;
      lastReply = replyId;
      stopReason = reason;
      wereToolsCut = false;
    },
    observe: (message) => void (wereToolsCut ||= isCutResult(message)),
    countPrompt: (uuid) => void prompts.push(uuid),
    countRequest(durationMs) {
      apiMs += durationMs;
    },
    countDenial(denial) {
      denials.push(denial);
    },
    countStop: (event) => void (stoppedBy = event),
    finish(outcome, agentId) {
      const total = agentId === undefined ? undefined : ledger.subtree(agentId);
      const byModel = agentId === undefined ? [] : [...ledger.subtreeByModel(agentId)];
      const message: ResultMessage = {
        type: 'result',
        ...verdictOf(outcome, isStructured),
        ...terminalReasonOf(outcome, wereToolsCut, stoppedBy),
        result_index: results,
        ...idsOf(prompts),
        duration_ms: elapsed(),
        duration_api_ms: apiMs,
        num_turns: turns,
        stop_reason: stopReason,
        total_cost_usd: total === undefined ? 0 : (total.costUsd ?? null),
        usage: total?.usage ?? NO_USAGE,
        modelUsage: Object.fromEntries(
          byModel.map(([model, used]) => [model, toModelUsage(model, used, maxTokens)]),
        ),
        permission_denials: denials.map(({ toolName, toolUseId, input }) => ({
          tool_name: toolName,
          tool_use_id: toolUseId,
          tool_input: input,
        })),
        ...deferralOf(outcome),
      };
      isRunning = false;
      results += 1;
      apiMs = 0;
      turns = 0;
      lastReply = undefined;
      stopReason = null;
      denials = [];
      prompts = [];
      stoppedBy = undefined;
      return message;
    },
  };
}

const MOST_PROMPT_IDS = 64;

function idsOf(
  prompts: readonly string[],
): Pick<ResultMessage, 'user_message_uuid' | 'user_message_uuids'> {
  const newest = prompts.at(-1);
  if (newest === undefined) return {};
  return { user_message_uuid: newest, user_message_uuids: prompts.slice(-MOST_PROMPT_IDS) };
}

/** Whether a tool result was cut off because somebody interrupted the turn. */
function isCutResult({ content }: Message): boolean {
  const text = cancelText('user_interrupted', '');
  return content.some((block) => block.type === 'tool_result' && block.content === text);
}

const TERMINAL_REASONS: Readonly<Partial<Record<string, TerminalReason>>> = {
  MAX_TURNS: 'max_turns',
  BUDGET_EXCEEDED: 'budget_exhausted',
  STRUCTURED_OUTPUT_MISSING: 'structured_output_retry_exhausted',
  CONTEXT_WINDOW_EXCEEDED: 'prompt_too_long',
};

function terminalReasonOf(
  outcome: TaskOutcome,
  wereToolsCut: boolean,
  stoppedBy: string | undefined,
): Pick<ResultMessage, 'terminal_reason'> {
  if (outcome.status === 'completed') return { terminal_reason: reasonOfEnd(stoppedBy) };
  if (outcome.status === 'killed') return {};
  const { code } = outcome.failure;
  if (code === INTERRUPTED.code)
    return { terminal_reason: wereToolsCut ? 'aborted_tools' : 'aborted_streaming' };
  const reason = TERMINAL_REASONS[code] ?? (code.startsWith('MODEL_') ? 'api_error' : undefined);
  return reason === undefined ? {} : { terminal_reason: reason };
}

/** The fields of an outcome with an open tool call. */
function deferralOf(
  outcome: TaskOutcome,
): Partial<Pick<ResultMessage, 'stop_reason' | 'terminal_reason' | 'deferred_tool_use'>> {
  if (outcome.status === 'killed') return {};
  const isThere = outcome.status === 'completed';
  const use = isThere ? outcome.deferredToolUse : outcome.failure.details?.['deferredToolUse'];
  if (use === undefined) return {};
  const reason = isThere ? 'tool_deferred' : 'tool_deferred_unavailable';
  const deferred_tool_use = use as DeferredToolUse; // set with the failure
  return { stop_reason: reason, terminal_reason: reason, deferred_tool_use };
}

/** Why a turn that did not fail has ended. @param stoppedBy event of the hook that ended it */
function reasonOfEnd(stoppedBy: string | undefined): TerminalReason {
  if (stoppedBy === undefined) return 'completed';
  return stoppedBy === 'Stop' ? 'stop_hook_prevented' : 'hook_stopped';
}

/** Failures with their own subtype. */
const SUBTYPES: Readonly<Partial<Record<string, ResultError['subtype']>>> = {
  MAX_TURNS: 'error_max_turns',
  STRUCTURED_OUTPUT_MISSING: 'error_max_structured_output_retries',
};

type Verdict =
  | Pick<ResultSuccess, 'subtype' | 'is_error' | 'result' | 'structured_output'>
  | Pick<ResultError, 'subtype' | 'is_error' | 'errors' | 'api_error_status'>;

function verdictOf(outcome: TaskOutcome, isStructured: boolean): Verdict {
  switch (outcome.status) {
    case 'completed':
      return {
        subtype: 'success',
        is_error: false,
        result: textOfResult(outcome.result),
        ...(isStructured && outcome.deferredToolUse === undefined
          ? { structured_output: outcome.result }
          : {}),
      };
    case 'failed': {
      const { failure } = outcome;
      return {
        subtype: subtypeOf(failure),
        is_error: true,
        errors: [failure.message],
        ...given({ api_error_status: apiStatusOf(failure) }),
      };
    }
    case 'killed':
      return {
        subtype: 'error_during_execution',
        is_error: true,
        errors: [`The session was stopped: ${outcome.reason}`],
      };
    default:
      return outcome satisfies never;
  }
}

function subtypeOf({ code, details }: Failure): ResultError['subtype'] {
  const isBudget = code === 'BUDGET_EXCEEDED';
  if (isBudget && details?.['unit'] === 'usd') return 'error_max_budget_usd';
  if (isBudget && details?.['unit'] === 'turns') return 'error_max_turns';
  return SUBTYPES[code] ?? 'error_during_execution';
}

function textOfResult(result: unknown): string {
  if (typeof result === 'string') return result;
  return result === undefined ? '' : JSON.stringify(result);
}

function toModelUsage(
  model: string,
  { usage, costUsd }: UsageTotal,
  maxOutputTokens: number,
): ModelUsage {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheReadInputTokens: usage.cache_read_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
    webSearchRequests: webSearchesOf(usage),
    contextWindow: contextWindowOf(model),
    maxOutputTokens,
    costUSD: costUsd ?? null,
  };
}
