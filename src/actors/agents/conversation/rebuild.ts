import { TroupeError } from '../../../core/errors.js';
import type { Envelope } from '../../../core/events.js';
import type { Failure } from '../../../core/failure.js';
import { toolUsesOf, type ToolResultBlock } from '../../../core/messages.js';
import { IDLE_STEP, type AgentEntry } from '../../../journal/entries/agent-entries.js';
import {
  isBeforeTurn,
  isHookKey,
  parseStepKey,
  stepKey,
  turnOfStep,
  type Step as StepOfAgent,
  type StepPart,
} from '../../../journal/entries/step-key.js';
import { CONTEXT_WINDOW_EXCEEDED } from '../../../machines/agent/agent-failures.js';
import { continuationOf } from '../../../model/stop-reasons.js';
import type { CompactionOutcome } from './compaction-outcome.js';
import { createConversation, type CallResult, type Conversation } from './conversation.js';
import { forkedConversation } from './fork.js';
import { continueWith, type Continued, type Reply } from './reply.js';

/** An agent rebuilt from its entries, up to its unfinished turn. */
export type RebuiltAgent = {
  /** The messages of the finished turns. */
  readonly conversation: Conversation;
  /** The number of finished turns. */
  readonly turn: number;
  /** A turn was unfinished: it runs again over `entries`. */
  readonly resumesTurn: boolean;
  /** The state that an unfinished reply of the turns before continues from. */
  readonly continued: Continued;
  /** The steps of the unfinished turn, and the outcomes of all hooks. */
  readonly entries: readonly AgentEntry[];
  /** Messages that were accepted and not yet taken, oldest first. */
  readonly mail: readonly Envelope[];
};

type Step = Extract<AgentEntry, { type: 'step.begun' | 'step.done' }>;

/**
 * Rebuild an agent from its entries, in linear time. Finished turns go into the conversation as they are. The last turn
 * is left to the agent's machine unless the agent was idle after it.
 *
 * @throws ReplayDivergedError if a turn is incomplete and another one follows it
 */
export function rebuildAgent(agentId: string, entries: readonly AgentEntry[]): RebuiltAgent {
  const steps = entries.filter(isStep);
  const last = steps.reduce((turn, { key }) => Math.max(turn, turnOf(agentId, key)), 0);
  const current = stepsOfTurn(agentId, steps, last);
  const resumesTurn = last > 0 && !wasIdle(entries, current);
  const forked = entries.find((entry) => entry.type === 'agent.forked');
  const conversation =
    forked === undefined ? createConversation() : forkedConversation(forked.messages);
  let taken = 0;
  let over = 0;
  let continued: Continued = {};

  for (const entry of entries) {
    if (isIdleStep(entry)) {
      conversation.becameIdle();
      continued = {};
    }
    if (!isStep(entry) || entry.type !== 'step.done' || entry.key === IDLE_STEP) continue;
    const { key, result } = entry;
    const { turn, part } = readKey(agentId, key);
    if (part === 'inbox') {
      if (over !== turn) throw new ReplayDivergedError(agentId, stepKey.model(turn));
      const newest = conversation.messages().at(-1);
      for (const { id } of newest?.role === 'assistant' ? toolUsesOf(newest) : [])
        if (conversation.result(id) === undefined)
          throw new ReplayDivergedError(agentId, stepKey.tool(turn, id));
      const mail = result as readonly Envelope[]; // written by `receive`
      taken += mail.length;
      conversation.addTurn(mail);
    } else if (part === 'replace') {
      conversation.replaceResults(result as readonly ToolResultBlock[]); // result of a replacement
    } else if (part === 'compact') {
      const outcome = result as CompactionOutcome; // result of a compaction
      if ('failure' in outcome) conversation.tokens.compactionFailed();
      else conversation.compact(outcome.result);
    } else if (turn < last || !resumesTurn) {
      if (part === 'model') {
        const reply = result as Reply; // result of a model step
        const usage = reply.calls?.at(-1)?.usage;
        conversation.addReply(reply.message, continuationOf(reply.stopReason), usage);
        continued = continueWith(continued, reply);
        over = turn;
      } else if (part === 'tool') conversation.addResult(result as CallResult); // result of a tool step
    }
  }

  const accepted = entries.flatMap((entry) =>
    entry.type === 'mail.accepted' ? [entry.envelope] : [],
  );
  return {
    conversation,
    turn: resumesTurn ? last - 1 : over,
    resumesTurn,
    continued,
    entries: [
      ...entries.filter((entry) => entry.type === 'step.done' && isHookKey(entry.key)),
      ...(resumesTurn
        ? [
            ...(conversation.isPaused() ? [] : [inboxTaken(last - 1, entries)]), // a paused reply takes no messages
            ...current.map(withoutFailure),
          ]
        : []),
    ],
    mail: accepted.slice(taken),
  };
}

function isIdleStep(entry: AgentEntry): boolean {
  return entry.type === 'agent.ended' || (entry.type === 'step.done' && entry.key === IDLE_STEP);
}

function isStep(entry: AgentEntry): entry is Step {
  return (entry.type === 'step.begun' || entry.type === 'step.done') && !isHookKey(entry.key);
}

/** The steps of a turn. A tool call that ended the turn is asked again unless its result was recorded. */
function stepsOfTurn(agentId: string, steps: readonly Step[], turn: number): readonly Step[] {
  const own = steps.filter(({ key }) => turnOf(agentId, key) === turn && !isBefore(key));
  const done = keysOfDone(own);
  return own.filter(({ key }) => {
    const { part, id } = readKey(agentId, key);
    return part !== 'endsTurn' || done.has(stepKey.tool(turn, id));
  });
}

function keysOfDone(steps: readonly Step[]): ReadonlySet<string> {
  return new Set(steps.flatMap(({ type, key }) => (type === 'step.done' ? [key] : [])));
}

/** The agent ended its turn, ended itself, or could not continue; and no tool call waits for its result. */
function wasIdle(entries: readonly AgentEntry[], current: readonly Step[]): boolean {
  const newest = entries.findLastIndex(isStep);
  const step = entries[newest];
  if (step?.type === 'step.done' && step.key === IDLE_STEP) return true;
  const model = current.find(({ type, key }) => type === 'step.done' && partOf(key) === 'model');
  if (model?.type !== 'step.done') return false;
  const reply = model.result as Reply; // result of a model step
  const done = keysOfDone(current);
  const turn = parseStepKey(model.key)?.turn ?? 0;
  const isWhole = toolUsesOf(reply.message).every(({ id }) => done.has(stepKey.tool(turn, id)));
  const isEnded = entries.slice(newest).some(({ type }) => type === 'agent.ended');
  const isFailed = reply.failure !== undefined && !isOverflow(reply.failure);
  return isWhole && (isEnded || isFailed);
}

/** The messages at the beginning of the turn are in the conversation already. */
function inboxTaken(turn: number, entries: readonly AgentEntry[]): AgentEntry {
  const timestamp = entries.at(-1)?.timestamp ?? 0;
  return { type: 'step.done', key: stepKey.inbox(turn), result: [], timestamp };
}

/**
 * A reply that broke off after some of its tools had begun: those calls are settled before the next request. A reply
 * that ended and failed, or that was too long, fails again.
 */
function withoutFailure(step: Step): Step {
  if (step.type !== 'step.done' || partOf(step.key) !== 'model') return step;
  const { failure, ...reply } = step.result as Reply; // result of a model step
  if (failure === undefined || isOverflow(failure) || reply.stopReason !== null) return step;
  return { ...step, result: reply };
}

/** The messages at the beginning of a turn are in the conversation, whether the turn is finished or not. */
function isBefore(key: string): boolean {
  const part = partOf(key);
  return part !== undefined && isBeforeTurn(part);
}

function partOf(key: string): StepPart | undefined {
  return parseStepKey(key)?.part;
}

function isOverflow(failure: Failure): boolean {
  return failure.code === CONTEXT_WINDOW_EXCEEDED;
}

function turnOf(agentId: string, key: string): number {
  return key === IDLE_STEP ? 0 : turnOfStep(readKey(agentId, key));
}

function readKey(agentId: string, key: string): StepOfAgent {
  const step = parseStepKey(key);
  if (step === undefined) throw new ReplayDivergedError(agentId, key);
  return step;
}

/** The journal of an agent does not match the agent's steps. */
class ReplayDivergedError extends TroupeError {
  override readonly name = 'ReplayDivergedError';
  readonly code = 'REPLAY_DIVERGED';
  /** The first step of the journal that the agent did not reach. */
  readonly step: string;

  constructor(agentId: string, step: string) {
    super(`The agent ${agentId} became idle before the step ${step} of its journal.`);
    this.step = step;
  }
}
