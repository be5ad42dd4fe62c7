import type { Envelope } from '../../core/events.js';
import { toolUsesOf, type AssistantMessage, type ToolResultBlock } from '../../core/messages.js';
import { REST_STEP, type AgentEntry } from '../../journal/agent-entries.js';
import { createConversation, type Conversation } from './conversation.js';
import { ReplayDivergedError } from './replay.js';

/** An agent as its entries make it, up to the turn that was under way. */
export type RebuiltAgent = {
  /** All that was said in turns that are over. */
  readonly conversation: Conversation;
  /** How many turns that are. */
  readonly turn: number;
  /** A turn was under way: it runs again over `entries`. */
  readonly goesOn: boolean;
  /** Steps of the turn that was under way. */
  readonly entries: readonly AgentEntry[];
  /** Accepted and not taken yet, oldest first. */
  readonly mail: readonly Envelope[];
};

type Step = Extract<AgentEntry, { type: 'step.begun' | 'step.done' }>;

/**
 * Makes an agent of its entries, linear in their number: turns that are over go into the conversation as they stand.
 * The last one is left to the agent's machine unless the agent had come to rest after it.
 *
 * @throws ReplayDivergedError where a turn is not whole and another one follows it
 */
export function rebuildAgent(agentId: string, entries: readonly AgentEntry[]): RebuiltAgent {
  const steps = entries.filter(isStep);
  const last = steps.reduce((turn, { key }) => Math.max(turn, turnOf(agentId, key)), 0);
  const current = stepsOfTurn(agentId, steps, last);
  const goesOn = last > 0 && !isResting(entries, current);
  const conversation = createConversation();
  let taken = 0;
  let over = 0;

  for (const { type, key, ...step } of steps) {
    if (type !== 'step.done' || key === REST_STEP) continue;
    const result = 'result' in step ? step.result : undefined;
    const { turn, part } = partsOf(agentId, key);
    if (part === 'inbox') {
      if (over !== turn) throw new ReplayDivergedError(agentId, `turn:${turn}/model`);
      const newest = conversation.messages.at(-1);
      for (const { id } of newest?.role === 'assistant' ? toolUsesOf(newest) : [])
        if (conversation.result(id) === undefined)
          throw new ReplayDivergedError(agentId, `turn:${turn}/tool:${id}`);
      const mail = result as readonly Envelope[]; // written by `receive`
      taken += mail.length;
      conversation.addTurn(mail);
    } else if (turn < last || !goesOn) {
      if (part === 'model') {
        conversation.addReply((result as { message: AssistantMessage }).message); // a model step's
        over = turn;
      } else if (part === 'tool') conversation.addResult(result as ToolResultBlock); // a tool step's
    }
  }

  const accepted = entries.flatMap((entry) =>
    entry.type === 'mail.accepted' ? [entry.envelope] : [],
  );
  return {
    conversation,
    turn: goesOn ? last - 1 : over,
    goesOn,
    entries: goesOn ? [inboxTaken(last - 1, entries), ...current.map(withoutFailure)] : [],
    mail: accepted.slice(taken),
  };
}

function isStep(entry: AgentEntry): entry is Step {
  return entry.type === 'step.begun' || entry.type === 'step.done';
}

/** What happened in a turn. That a use ended it counts with the use's result only: before that it is asked for again. */
function stepsOfTurn(agentId: string, steps: readonly Step[], turn: number): readonly Step[] {
  const own = steps.filter(({ key }) => turnOf(agentId, key) === turn && !isInbox(key));
  const done = new Set(own.flatMap(({ type, key }) => (type === 'step.done' ? [key] : [])));
  return own.filter(
    ({ key }) => !key.endsWith(ENDS_TURN) || done.has(key.slice(0, -ENDS_TURN.length)),
  );
}

/** It said so, or it ended, or it could not go on; and no tool use waits for its result. */
function isResting(entries: readonly AgentEntry[], current: readonly Step[]): boolean {
  const newest = entries.findLastIndex(isStep);
  const step = entries[newest];
  if (step?.type === 'step.done' && step.key === REST_STEP) return true;
  const model = current.find(({ type, key }) => type === 'step.done' && key.endsWith('/model'));
  if (model?.type !== 'step.done') return false;
  const reply = model.result as { message: AssistantMessage; failure?: unknown }; // a model step's
  const done = new Set(current.flatMap(({ type, key }) => (type === 'step.done' ? [key] : [])));
  const stem = model.key.replace(/model$/, 'tool:');
  const isWhole = toolUsesOf(reply.message).every(({ id }) => done.has(stem + id));
  const isEnded = entries.slice(newest).some(({ type }) => type === 'agent.ended');
  return isWhole && (isEnded || reply.failure !== undefined);
}

/** What the turn began with is in the conversation already. */
function inboxTaken(turn: number, entries: readonly AgentEntry[]): AgentEntry {
  const timestamp = entries.at(-1)?.timestamp ?? 0;
  return { type: 'step.done', key: `turn:${turn}/inbox`, result: [], timestamp };
}

/** A reply that failed after some of its tools had begun: they are seen to before the next request is made. */
function withoutFailure(step: Step): Step {
  if (step.type !== 'step.done' || !step.key.endsWith('/model')) return step;
  const { failure: _failure, ...reply } = step.result as { failure?: unknown }; // a model step's
  return { ...step, result: reply };
}

function isInbox(key: string): boolean {
  return key.endsWith('/inbox');
}

/** The turn that a step belongs to; taking mail belongs to the one that it begins. */
function turnOf(agentId: string, key: string): number {
  if (key === REST_STEP) return 0;
  const { turn, part } = partsOf(agentId, key);
  return part === 'inbox' ? turn + 1 : turn;
}

const ENDS_TURN = '/ends-turn';
const PARTS: ReadonlySet<string> = new Set(['inbox', 'model', 'said', 'tool']);

function partsOf(agentId: string, key: string): { readonly turn: number; readonly part: string } {
  const [, turn = '', part = ''] = /^turn:(\d+)\/([a-z]+)/.exec(key) ?? [];
  if (!PARTS.has(part)) throw new ReplayDivergedError(agentId, key);
  return { turn: Number(turn), part: key.endsWith(ENDS_TURN) ? 'end' : part };
}
