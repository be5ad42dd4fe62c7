import { toFirstMessage, type CompactionResult } from '../../core/compaction.js';
import type { Envelope } from '../../core/events.js';
import {
  textBlock,
  toolUsesOf,
  type AssistantMessage,
  type Continuation,
  type Message,
  type ToolResultBlock,
  type UserBlock,
  type UserMessage,
} from '../../core/messages.js';
import { totalTokens, type Usage } from '../../core/usage.js';

/** One agent's messages: only ever appended to, so that each request extends the one before it, but for a compaction. */
export interface Conversation {
  /** A compaction begins a new list. */
  readonly messages: readonly Message[];
  /**
   * A reply, whole or what was whole of it.
   *
   * @param continues how it is to be gone on with
   * @param usage of its request, where it is known
   */
  addReply(message: AssistantMessage, continues?: Continuation, usage?: Usage): void;
  /** Resolves when the next reply has come, whole or not. */
  nextReply(): Promise<void>;
  addResult(result: ToolResultBlock): void;
  result(toolUseId: string): ToolResultBlock | undefined;
  /** Whether any reply so far has used this ID, also one that a compaction has removed. */
  hasToolUse(id: string): boolean;
  /**
   * Makes the next user message: the results that the newest reply waits for, in the order of its request, then, where it
   * was cut off, that it is to go on, then the mail.
   * Undefined where there is nothing to say.
   */
  addTurn(mail: readonly Envelope[]): UserMessage | undefined;
  /** The newest reply is sent back as it stands: no user message comes before the next one. */
  readonly isPaused: boolean;
  /** The newest message waits for a reply. */
  readonly isUnanswered: boolean;
  /** Prompts that it is at work on: those that came since it last rested. */
  readonly prompts: readonly UserBlock[];
  /** It rests: its newest reply is not gone on with. */
  rested(): void;
  /** Puts a new beginning in the place of all but the newest messages. */
  compact(result: CompactionResult): void;
  compactionFailed(): void;
  /** Of the newest request and its reply; 0 where nothing has told since the newest compaction. */
  readonly tokens: number;
  /** What they were right after the newest compaction, or when one failed; 0 where there was none. */
  readonly floor: number;
}

/** Asks for the rest of a reply. It is part of what prompts begin with: another text would change them. */
const GO_ON = textBlock(
  'Your reply was cut off at the output limit. Go on exactly where it stopped, without repeating anything. A tool call that was cut off has not run: make it again, in smaller parts if it was large.',
);

/** @param past what was said before, in another agent's conversation */
export function createConversation(past: readonly Message[] = []): Conversation {
  let messages: Message[] = [...past];
  const repliesAwaited: (() => void)[] = [];
  const results = new Map<string, ToolResultBlock>();
  const toolUseIds = new Set(past.flatMap(idsOf));
  let continues: Continuation | undefined;
  let prompts: UserBlock[] = [];
  /** Of the messages in front none waits for a reply. */
  let answered = 0;
  let tokens = 0;
  let floor = 0;
  let isCompacted = false;
  return {
    get messages() {
      return messages;
    },
    addReply(message, asked, usage) {
      if (message.content.length > 0) messages.push(message);
      for (const id of idsOf(message)) toolUseIds.add(id);
      const isAnswered = asked === 'paused' && toolUsesOf(message).length > 0; // by their results
      continues = isAnswered ? undefined : asked;
      tokens = (usage === undefined ? 0 : totalTokens(usage)) || tokens;
      if (isCompacted) floor = tokens;
      isCompacted = isCompacted && tokens === 0;
      for (const resolve of repliesAwaited.splice(0)) resolve();
    },
    nextReply: () => new Promise((resolve) => repliesAwaited.push(resolve)),
    addResult(result) {
      results.set(result.tool_use_id, result);
    },
    result: (toolUseId) => results.get(toolUseId),
    hasToolUse: (id) => toolUseIds.has(id),
    addTurn(mail) {
      const content: UserBlock[] = [];
      const newest = messages.at(-1);
      if (newest?.role === 'assistant')
        for (const { id } of toolUsesOf(newest)) {
          const result = results.get(id);
          if (result !== undefined) content.push(result);
          results.delete(id);
        }
      if (continues === 'cut') content.push(GO_ON);
      continues = undefined;
      for (const envelope of mail) {
        const blocks = envelope.content as UserBlock[]; // put in as such
        content.push(...blocks);
        if (envelope.kind === 'prompt') prompts.push(...blocks);
      }
      if (content.length === 0) return undefined;
      const message: UserMessage = { role: 'user', content };
      messages.push(message);
      return message;
    },
    get isPaused() {
      return continues === 'paused';
    },
    get isUnanswered() {
      return messages.length > answered && messages.at(-1)?.role === 'user';
    },
    get prompts() {
      return prompts;
    },
    rested() {
      prompts = [];
      continues = undefined;
    },
    compact(result) {
      const { keptMessages, isAnswered } = result.boundaryMarker;
      const kept = messages.slice(messages.length - keptMessages);
      messages = [toFirstMessage(result), ...kept];
      answered = isAnswered ? messages.length : 0;
      tokens = 0;
      isCompacted = true;
    },
    compactionFailed() {
      floor = tokens;
    },
    get tokens() {
      return tokens;
    },
    get floor() {
      return floor;
    },
  };
}

function idsOf(message: Message): readonly string[] {
  return message.role === 'assistant' ? toolUsesOf(message).map(({ id }) => id) : [];
}
