import type { AssistantBlock, AssistantMessage, StopReason } from '../../core/messages.js';
import { NO_USAGE, webSearches, webSearchesOf, type Usage } from '../../core/tasks/usage.js';
import { createBlockBuilder, type AssembledBlock, type BlockBuilder } from './assemble-block.js';
import { ModelBadAnswerError } from '../errors/broken-reply-errors.js';
import type { ModelEvent } from '../model.js';
import { isRecord } from '../../core/json/is-record.js';
import { mostReplyChars } from './reply-limits.js';

/** Assembles one streamed reply. Costs are linear in the size of the reply. */
export interface Assembler {
  /**
   * Take the next event, and return the block that it completed. Unknown events are ignored.
   * @throws ModelBadAnswerError if the event is not allowed at this point or lacks a field
   */
  push(event: ModelEvent): AssembledBlock | undefined;
  /** `message_stop` has come. A reply that ends before it was cut off, whatever the transport says. */
  isComplete(): boolean;
  /** The complete blocks so far, in the model's order. Text without a visible character is left out. */
  message(): AssistantMessage;
  /** The text so far of the block that is not complete. */
  openText(): string;
  /** The newest count: the reply's start, then cumulative updates. */
  usage(): Usage;
  stopReason(): StopReason | null;
  /** Details of the API: for a refusal its category. */
  stopDetails(): Readonly<Record<string, unknown>> | undefined;
  /** The model that answered, as the endpoint names it. */
  model(): string | undefined;
  messageId(): string | undefined;
}

/**
 * Make an {@link Assembler} for one reply: a new attempt needs a new one.
 *
 * @param maxTokens of the request: a reply with far more text than these tokens can have is refused
 */
export function createAssembler(maxTokens: number = Infinity): Assembler {
  const head: Head = { usage: NO_USAGE, stopReason: null };
  const blocks = createBlocks(mostReplyChars(maxTokens));
  let phase: Phase = 'waiting';
  return {
    push(event) {
      requireEvent(event);
      switch (event.type) {
        case 'message_start':
          if (phase !== 'waiting') throw new ModelBadAnswerError(event.type, 'came twice');
          startMessage(head, event);
          phase = 'open';
          return undefined;
        case 'content_block_start':
          requireOpen(event, phase);
          blocks.start(event);
          return undefined;
        case 'content_block_delta':
          requireOpen(event, phase);
          blocks.append(event);
          return undefined;
        case 'content_block_stop':
          requireOpen(event, phase);
          return blocks.stop(event);
        case 'message_delta':
          requireOpen(event, phase);
          updateMessage(head, event);
          return undefined;
        case 'message_stop':
          requireOpen(event, phase);
          blocks.requireClosed(event);
          phase = 'complete';
          return undefined;
        default:
          return undefined;
      }
    },
    isComplete: () => phase === 'complete',
    message: () => ({ role: 'assistant', content: blocks.finished() }),
    openText: () => blocks.openText(),
    usage: () => head.usage,
    stopReason: () => head.stopReason,
    stopDetails: () => head.stopDetails,
    model: () => head.model,
    messageId: () => head.messageId,
  };
}

type Phase = 'waiting' | 'open' | 'complete';

/** The fields of a reply beside its blocks. */
type Head = {
  usage: Usage;
  stopReason: StopReason | null;
  stopDetails?: Readonly<Record<string, unknown>>;
  model?: string;
  messageId?: string;
};

function startMessage(head: Head, event: ModelEvent): void {
  const { message } = event;
  if (!isRecord(message)) throw new ModelBadAnswerError(event.type, 'has no message');
  head.usage = mergeUsage(head.usage, message['usage']);
  if (typeof message['model'] === 'string') head.model = message['model'];
  if (typeof message['id'] === 'string') head.messageId = message['id'];
}

function updateMessage(head: Head, event: ModelEvent): void {
  const { delta } = event;
  if (!isRecord(delta)) throw new ModelBadAnswerError(event.type, 'has no delta');
  head.usage = mergeUsage(head.usage, event['usage']);
  if (typeof delta['stop_reason'] === 'string') head.stopReason = delta['stop_reason'];
  if (isRecord(delta['stop_details'])) head.stopDetails = delta['stop_details'];
}

/** The blocks of a reply, open and finished, with a maximum of characters. */
function createBlocks(mostChars: number) {
  const open = new Map<number, BlockBuilder>();
  const finished: (AssistantBlock | undefined)[] = [];
  let chars = 0;

  const grow = (event: ModelEvent, part: unknown): void => {
    chars += charsIn(part);
    if (chars > mostChars)
      throw new ModelBadAnswerError(
        event.type,
        `makes the reply longer than ${mostChars} characters, more than its max_tokens allow`,
      );
  };
  const openBlock = (event: ModelEvent): { index: number; builder: BlockBuilder } => {
    const index = indexOf(event);
    const builder = open.get(index);
    if (builder === undefined) {
      throw new ModelBadAnswerError(event.type, `names block ${index}, which is not open`);
    }
    return { index, builder };
  };
  return {
    start(event: ModelEvent): void {
      const index = indexOf(event);
      if (open.has(index) || index in finished) {
        throw new ModelBadAnswerError(event.type, `starts block ${index} a second time`);
      }
      grow(event, event['content_block']);
      open.set(index, createBlockBuilder(event));
    },
    append(event: ModelEvent): void {
      grow(event, event['delta']);
      openBlock(event).builder.append(event);
    },
    stop(event: ModelEvent): AssembledBlock | undefined {
      const { index, builder } = openBlock(event);
      const assembled = builder.finish();
      open.delete(index);
      finished[index] = assembled?.block;
      return assembled;
    },
    /** @throws ModelBadAnswerError if a block is open */
    requireClosed(event: ModelEvent): void {
      const [index] = open.keys();
      if (index !== undefined) {
        throw new ModelBadAnswerError(event.type, `came while block ${index} was open`);
      }
    },
    openText: (): string => [...open.values()].map((builder) => builder.text()).join(''),
    finished: (): AssistantBlock[] => finished.filter((block) => block !== undefined),
  };
}

/** @throws ModelBadAnswerError for an invalid event, whatever its type says */
export function requireEvent(event: ModelEvent): ModelEvent {
  if (isRecord(event) && typeof event.type === 'string') return event;
  throw new ModelBadAnswerError('an event', 'has no type');
}

function requireOpen(event: ModelEvent, phase: Phase): void {
  if (phase === 'open') return;
  const when = phase === 'waiting' ? 'before message_start' : 'after message_stop';
  throw new ModelBadAnswerError(event.type, `came ${when}`);
}

function indexOf(event: ModelEvent): number {
  const { index } = event;
  // The bound keeps a nonsense index from making a sparse array of any size.
  if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < 100_000) {
    return index;
  }
  throw new ModelBadAnswerError(event.type, 'has no usable index');
}

/** All text in a part of an event, which is never nested deep. */
function charsIn(part: unknown): number {
  if (typeof part === 'string') return part.length;
  if (typeof part !== 'object' || part === null) return 0;
  let chars = 0;
  for (const value of Object.values(part)) chars += 1 + charsIn(value);
  return chars;
}

/** `usage` with the counts of `update`; the API sends null for missing counts. Invalid counts are 0. */
function mergeUsage(usage: Usage, update: unknown): Usage {
  if (!isRecord(update)) return usage;
  const pick = (key: TokenKey): number => countOf(update[key], usage[key]);
  const { server_tool_use: uses } = update;
  const searches = isRecord(uses) ? uses['web_search_requests'] : undefined;
  return {
    input_tokens: pick('input_tokens'),
    output_tokens: pick('output_tokens'),
    cache_creation_input_tokens: pick('cache_creation_input_tokens'),
    cache_read_input_tokens: pick('cache_read_input_tokens'),
    ...webSearches(countOf(searches, webSearchesOf(usage))),
  };
}

type TokenKey = Exclude<keyof Usage, 'server_tool_use'>;

function countOf(count: unknown, before: number): number {
  if (typeof count !== 'number') return before;
  return Number.isFinite(count) ? Math.max(0, count) : 0;
}
