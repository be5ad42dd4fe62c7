import { z } from 'zod';
import { Envelope } from '../core/events.js';
import { Failure } from '../core/failure.js';
import type { PermissionMode } from '../core/permission-types.js';
import type { ModelCall } from '../core/tasks/usage.js';
import type { Use } from './cost.js';
import { todosOf, type BoardItem } from './todos.js';
import { IDLE_STEP, ModelCall as Call, type AgentEntry } from '../journal/entries/agent-entries.js';
import { contentText } from '../journal/entries/content-text.js';
import { parseStepKey } from '../journal/entries/step-key.js';

/** One part of a conversation. Times are epoch ms. */
export type ConversationItem = { readonly at: number } & (
  | {
      readonly type: 'message';
      readonly kind: Envelope['kind'];
      readonly from: string;
      readonly text: string;
      readonly sentAt: number;
    }
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  /** A tool call, which is in `calls`. */
  | { readonly type: 'call'; readonly id: string }
  | { readonly type: 'compacted'; readonly summary: string }
  | { readonly type: 'forked'; readonly from: string }
  | { readonly type: 'failure'; readonly code: string; readonly message: string }
);

/** A tool call. */
export type CallView = {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly at: number;
  /** Undefined while it runs or waits. */
  readonly result:
    { readonly text: string; readonly isError: boolean; readonly at: number } | undefined;
};

/** The activity of an agent: it takes messages, waits for its model or its tool calls, is idle, or has ended. */
export type Activity = 'starting' | 'sampling' | 'acting' | 'idle' | 'ended';

/** An agent with its conversation. Times are epoch ms. */
export type AgentView = {
  readonly id: string;
  /** The newest of its tasks: a resumed agent gets a new one. */
  readonly taskId: string;
  readonly name: string;
  readonly agentType: string;
  readonly model: string;
  readonly mode: PermissionMode | undefined;
  readonly cwd: string;
  readonly startedAt: number;
  readonly activity: Activity;
  /** Since when it has its activity. */
  readonly since: number;
  /** How it ended; undefined while it lives. */
  readonly endedAs: string | undefined;
  readonly items: readonly ConversationItem[];
  /** Number of items that came before and are not kept. */
  readonly dropped: number;
  /** Tool calls by ID, in the order in which the model asked. */
  readonly calls: ReadonlyMap<string, CallView>;
  /** Messages that it has accepted and not taken. */
  readonly unread: readonly Envelope[];
  /** Finished model requests. */
  readonly requests: readonly ModelCall[];
  /** Sums of earlier model requests, by model. */
  readonly summed: ReadonlyMap<string, Use>;
  /** Usage of replies that are arriving, or broke off, by turn. */
  readonly unfinished: ReadonlyMap<number, ModelCall>;
  /** Number of blocks of the reply that arrived before its end. */
  readonly toldBlocks: number;
  /** IDs of tool calls without a result. */
  readonly openCalls: ReadonlySet<string>;
  /** The to-do list that it keeps for itself. */
  readonly todos: readonly BoardItem[];
  /** Earlier activities. */
  readonly spans: readonly Span[];
};

/** A finished activity of an agent. Times are epoch ms. */
export type Span = { readonly activity: Activity; readonly from: number; readonly to: number };

/** A copy that lines can be put into. */
export type Draft = { -readonly [Key in keyof AgentView]: AgentView[Key] } & {
  items: ConversationItem[];
  calls: Map<string, CallView>;
  requests: ModelCall[];
  summed: Map<string, Use>;
  unfinished: Map<number, ModelCall>;
  openCalls: Set<string>;
  spans: Span[];
};

export function draftOf(agent: AgentView): Draft {
  return {
    ...agent,
    items: [...agent.items],
    calls: new Map(agent.calls),
    requests: [...agent.requests],
    summed: new Map(agent.summed),
    unfinished: new Map(agent.unfinished),
    openCalls: new Set(agent.openCalls),
    spans: [...agent.spans],
  };
}

export function newAgent(id: string): AgentView {
  return {
    id,
    taskId: '',
    name: id,
    agentType: '',
    model: '',
    mode: undefined,
    cwd: '',
    startedAt: 0,
    activity: 'starting',
    since: 0,
    endedAs: undefined,
    items: [],
    dropped: 0,
    calls: new Map(),
    unread: [],
    requests: [],
    summed: new Map(),
    unfinished: new Map(),
    toldBlocks: 0,
    openCalls: new Set(),
    todos: [],
    spans: [],
  };
}

/** Put one line of its file into an agent. */
export function addAgentEntry(agent: Draft, entry: AgentEntry): void {
  const { timestamp: at } = entry;
  switch (entry.type) {
    case 'agent.started': {
      const { taskId, agentType, name, model, permissionMode: mode, cwd } = entry;
      Object.assign(agent, { taskId, agentType, name: name ?? agentType, model, mode, cwd });
      Object.assign(agent, { startedAt: at, since: at });
      return;
    }
    case 'agent.resumed': {
      const { taskId, model, permissionMode: mode } = entry;
      Object.assign(agent, { taskId, model, mode, endedAs: undefined });
      return become(agent, 'starting', at);
    }
    case 'agent.forked':
      agent.items.push({ type: 'forked', at, from: entry.from });
      return;
    case 'agent.mode':
      agent.mode = entry.permissionMode;
      return;
    case 'mail.accepted':
      agent.unread = [...agent.unread, entry.envelope];
      return;
    case 'helper.asked':
      agent.requests.push(entry.call);
      return;
    case 'step.done':
      return addStep(agent, entry.key, entry.result, at);
    case 'agent.ended':
      agent.endedAs = entry.status;
      return become(agent, 'ended', at);
    case 'agent.equipped':
    case 'agent.skill':
    case 'step.begun':
      return;
    default:
      return entry satisfies never;
  }
}

function addStep(agent: Draft, key: string, result: unknown, at: number): void {
  if (key === IDLE_STEP) return become(agent, 'idle', at);
  const step = parseStepKey(key);
  switch (step?.part) {
    case 'inbox':
      return takeMessages(agent, result, at);
    case 'said': {
      const { blocks = [], call } = Said.safeParse(result).data ?? {};
      if (call !== undefined) agent.unfinished.set(step.turn, call);
      agent.toldBlocks += blocks.length;
      return addBlocks(agent, blocks, at);
    }
    case 'model':
      return addReply(agent, step.turn, result, at);
    case 'tool':
      return addResult(agent, step.id, result, at);
    case 'compact': {
      const { calls = [], summary } = Compacted.safeParse(result).data ?? {};
      agent.requests.push(...calls);
      if (summary !== undefined) agent.items.push({ type: 'compacted', at, summary });
      return;
    }
    default: {
      const { calls = [] } = Billed.safeParse(result).data ?? {};
      agent.requests.push(...calls);
    }
  }
}

function takeMessages(agent: Draft, result: unknown, at: number): void {
  const taken = Taken.safeParse(result).data ?? [];
  for (const { kind, from, content, at: sentAt } of taken)
    agent.items.push({ type: 'message', at, kind, from, text: contentText(content), sentAt });
  const ids = new Set(taken.map(({ id }) => id));
  agent.unread = agent.unread.filter(({ id }) => !ids.has(id));
  become(agent, 'sampling', at);
}

function addReply(agent: Draft, turn: number, result: unknown, at: number): void {
  const { message, calls = [], failure } = Reply.safeParse(result).data ?? {};
  agent.requests.push(...calls);
  addBlocks(agent, message?.content.slice(agent.toldBlocks) ?? [], at);
  agent.toldBlocks = 0;
  agent.unfinished.delete(turn);
  if (failure !== undefined) {
    const { code, message: why } = failure;
    agent.items.push({ type: 'failure', at, code, message: why });
  }
  become(agent, agent.openCalls.size > 0 ? 'acting' : 'idle', at);
}

function addBlocks(agent: Draft, blocks: readonly unknown[], at: number): void {
  for (const block of blocks) {
    const { data: use } = Use.safeParse(block);
    if (use !== undefined) {
      const { id, name: tool, input } = use;
      agent.calls.set(id, { id, tool, input, at, result: undefined });
      agent.openCalls.add(id);
      agent.items.push({ type: 'call', at, id });
      continue;
    }
    const { type, thinking } = Block.parse(block);
    if (type === 'thinking') agent.items.push({ type, at, text: String(thinking) });
    else agent.items.push({ type: 'text', at, text: contentText([block]) });
  }
}

function addResult(agent: Draft, id: string, value: unknown, at: number): void {
  const call = agent.calls.get(id);
  const { data: result } = Result.safeParse(value);
  if (call === undefined || result === undefined) return;
  const { content, is_error: isError = false } = result;
  agent.openCalls.delete(id);
  if (call.tool === 'TodoWrite' && !isError) agent.todos = todosOf(call.input);
  agent.calls.set(id, { ...call, result: { text: contentText(content), isError, at } });
  if (agent.activity === 'acting' && agent.openCalls.size === 0) become(agent, 'sampling', at);
}

function become(agent: Draft, activity: Activity, at: number): void {
  const { activity: last, since } = agent;
  if (last === activity) return;
  agent.spans.push({ activity: last, from: since, to: at });
  agent.activity = activity;
  agent.since = at;
}

const Block = z.lazy(() => z.looseObject({ type: z.string() }));
const Calls = z.lazy(() => z.array(Call));
const Said = z.lazy(() => z.object({ blocks: z.array(Block), call: Call.optional() }));
const Reply = z.lazy(() =>
  z.object({
    message: z.object({ content: z.array(Block) }),
    calls: Calls.optional(),
    failure: Failure.optional(),
  }),
);
const Compacted = z.lazy(() =>
  z.object({ calls: Calls.optional(), summary: z.string().optional() }),
);
const Billed = z.lazy(() => z.object({ calls: Calls.optional() }));
const Taken = z.lazy(() => z.array(Envelope));
const Result = z.lazy(() => z.object({ content: z.unknown(), is_error: z.boolean().optional() }));
const Use = z.lazy(() =>
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown().optional(),
  }),
);
