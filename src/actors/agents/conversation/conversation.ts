import { toFirstMessage, type CompactionResult } from '../../../core/agents/compaction.js';
import type { InputBlock } from '../../../core/input-block.js';
import type { Envelope } from '../../../core/events.js';
import {
  textBlock,
  toolUsesOf,
  type AssistantMessage,
  type Continuation,
  type Message,
  type ToolResultBlock,
  type UserBlock,
  type UserMessage,
} from '../../../core/messages.js';
import type { Usage } from '../../../core/tasks/usage.js';
import { createResultFacts, type ResultFacts } from './result-facts.js';
import { createTokenCount, type TokenCount } from './token-count.js';

/** One agent's messages. Each request extends the one before it: messages are only appended, except by a compaction. */
export interface Conversation {
  /** A compaction begins a new list. */
  messages(): readonly Message[];
  /**
   * Add a reply, or the complete part of it.
   *
   * @param continues how the next request continues the reply, if it does
   * @param usage usage of its request, if it is known
   */
  addReply(message: AssistantMessage, continues?: Continuation, usage?: Usage): void;
  /** Resolve when the next reply has come, complete or not. */
  nextReply(): Promise<void>;
  /** Return the result without what its tool adds. */
  addResult(result: CallResult): ToolResultBlock;
  result(toolUseId: string): ToolResultBlock | undefined;
  /** Whether any reply so far has used this ID, including replies that a compaction has removed. */
  hasToolUse(id: string): boolean;
  /**
   * Add the next user message: the results for the newest reply, in the order of its tool calls; the request to
   * continue, if the reply was cut off; then the waiting messages. Undefined if all of these are empty.
   */
  addTurn(mail: readonly Envelope[]): UserMessage | undefined;
  /** The newest reply is sent back unchanged: no user message comes before the next reply. */
  isPaused(): boolean;
  /** The newest message waits for a reply. */
  isUnanswered(): boolean;
  readonly results: Pick<ResultFacts, 'chars' | 'foundTools' | 'instructions'>;
  /** The prompts since the agent was last idle. */
  prompts(): readonly UserBlock[];
  /** The agent is idle: no request continues its newest reply. */
  becameIdle(): void;
  /** Put references in the place of results with the same IDs. */
  replaceResults(references: readonly ToolResultBlock[]): void;
  /** Replace all but the newest messages by a new beginning. */
  compact(result: CompactionResult): void;
  readonly tokens: Omit<TokenCount, 'replied' | 'compacted'>;
}

/** The result of a call as it is journaled. */
export type CallResult = ToolResultBlock & {
  /** Blocks that the tool adds behind all results of the reply. */
  readonly added?: readonly InputBlock[];
};

/** The request to continue a reply. It is part of cached prompts, so its text must not change. */
const CONTINUE = textBlock(
  'Your reply was cut off at the output limit. Continue exactly where it stopped, without repeating anything. A tool call that was cut off has not run: make it again, in smaller parts if it was large.',
);

/** @param past the messages of another agent's conversation so far */
export function createConversation(past: readonly Message[] = []): Conversation {
  let messages: Message[] = [...past];
  const repliesAwaited: (() => void)[] = [];
  const results = new Map<string, ToolResultBlock>();
  const toolUseIds = new Set(past.flatMap(idsOf));
  let continues: Continuation | undefined;
  const added = new Map<string, readonly InputBlock[]>();
  let prompts: UserBlock[] = [];
  const facts = createResultFacts(past);
  /** The number of messages at the start that wait for no reply. */
  let answered = 0;
  const tokens = createTokenCount();
  return {
    tokens,
    results: facts,
    messages: () => messages,
    addReply(message, asked, usage) {
      if (message.content.length > 0) messages.push(message);
      for (const id of idsOf(message)) toolUseIds.add(id);
      const isAnswered = asked === 'paused' && toolUsesOf(message).length > 0; // results answer it
      continues = isAnswered ? undefined : asked;
      tokens.replied(usage);
      for (const resolve of repliesAwaited.splice(0)) resolve();
    },
    nextReply: () => new Promise((resolve) => repliesAwaited.push(resolve)),
    addResult({ added: own, ...result }) {
      results.set(result.tool_use_id, result);
      if (own !== undefined) added.set(result.tool_use_id, own);
      facts.instructions.add(own ?? []);
      return result;
    },
    result: (toolUseId) => results.get(toolUseId),
    hasToolUse: (id) => toolUseIds.has(id),
    addTurn(mail) {
      const newest = messages.at(-1);
      const content: UserBlock[] = [...take(results, newest), ...take(added, newest).flat()];
      if (continues === 'cut') content.push(CONTINUE);
      continues = undefined;
      for (const envelope of mail) {
        content.push(...blocksOf(envelope));
        if (envelope.kind === 'prompt') prompts.push(...ownBlocks(envelope));
      }
      if (content.length === 0) return undefined;
      const message: UserMessage = { role: 'user', content };
      messages.push(message);
      facts.add(message);
      return message;
    },
    isPaused: () => continues === 'paused',
    isUnanswered: () => messages.length > answered && messages.at(-1)?.role === 'user',
    prompts: () => prompts,
    becameIdle() {
      prompts = [];
      continues = undefined;
    },
    replaceResults(references) {
      const byId = new Map(references.map((block) => [block.tool_use_id, block]));
      messages = messages.map((message) => withReferences(message, byId));
      const before = facts.chars();
      facts.renew(messages);
      tokens.freed(before - facts.chars());
    },
    compact(result) {
      const { keptMessages, isAnswered } = result.boundaryMarker;
      const kept = messages.slice(messages.length - keptMessages);
      messages = [toFirstMessage(result), ...kept];
      facts.renew(kept);
      answered = isAnswered ? messages.length : 0;
      tokens.compacted();
    },
  };
}

/** The blocks for the model: none of a message that a hook has blocked. */
function blocksOf(envelope: Envelope): readonly UserBlock[] {
  const { before = [], after = [], blocked } = envelope;
  if (blocked !== undefined) return [];
  return [...before.map(textBlock), ...ownBlocks(envelope), ...after.map(textBlock)];
}

function ownBlocks({ content, blocked }: Envelope): readonly UserBlock[] {
  return blocked === undefined ? (content as readonly UserBlock[]) : []; // stored as user blocks
}

/** The same message if it has none of the results. */
function withReferences(message: Message, byId: ReadonlyMap<string, ToolResultBlock>): Message {
  if (message.role !== 'user') return message;
  const content = message.content.map((block) =>
    block.type === 'tool_result' ? (byId.get(block.tool_use_id) ?? block) : block,
  );
  const isSame = content.every((block, index) => block === message.content[index]);
  return isSame ? message : { role: 'user', content };
}

/** Take what belongs to the tool uses of a reply out of a map, in their order. */
function take<T>(byId: Map<string, T>, reply: Message | undefined): readonly T[] {
  const ids = reply === undefined ? [] : idsOf(reply);
  return ids.flatMap((id) => {
    const value = byId.get(id);
    byId.delete(id);
    return value === undefined ? [] : [value];
  });
}

function idsOf(message: Message): readonly string[] {
  return message.role === 'assistant' ? toolUsesOf(message).map(({ id }) => id) : [];
}
