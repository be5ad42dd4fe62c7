import type { ContentBlock, Message, ToolReferenceBlock } from '../core/messages.js';
import { promptTokensOf, type Usage } from '../core/tasks/usage.js';
import type { ModelRequest } from '../model/model.js';

/**
 * An upper bound for the tokens of a prompt before the API has counted it. Text of a conversation counts a token a
 * byte: no tokenizer makes more. System prompt and tools are prose and JSON schemas, with at most one token for two
 * bytes. The part that an earlier request had was counted by the API: that number is used, and only the new part is
 * estimated.
 */
export interface PromptMeter {
  measure(request: Measured): Measurement;
  /** Tokens of the newest reply; 0 before the first one. */
  replyTokens(): number;
}

export interface Measurement {
  /** Never below the API's count. */
  bound(): number;
  /** Take over the API's count for this request. */
  learn(usage: Usage): void;
}

type Measured = Pick<ModelRequest, 'model' | 'system' | 'tools' | 'messages'>;

type Known = Omit<Measured, 'messages'> & {
  readonly count: number;
  readonly newest: Message | undefined;
  readonly promptTokens: number;
  readonly replyTokens: number;
};

/** Text that the API adds before tools, and around everything. */
const PREAMBLE_TOKENS = 1_000;
const STATIC_BYTES_PER_TOKEN = 2;
/** The API scales an image down until it has fewer. */
const IMAGE_TOKENS = 6_000;
/** Around a message, a block, a tool. */
const FRAME_TOKENS = 32;

/** One for each conversation. */
export function createPromptMeter(): PromptMeter {
  let known: Known | undefined;
  return {
    replyTokens: () => known?.replyTokens ?? 0,
    measure(request) {
      const { model, system, tools, messages } = request;
      const count = messages.length; // the array grows
      return {
        bound() {
          if (known === undefined || !isExtension(request, known))
            return boundOfStatic(request) + boundOf(messages.slice(0, count));
          const before = known.promptTokens + boundOfTools(tools.slice(known.tools.length));
          const [reply, ...others] = messages.slice(known.count, count);
          if (reply === undefined) return before;
          const ofReply = boundOf([reply]);
          const said = reply.role === 'assistant' ? Math.max(ofReply, known.replyTokens) : ofReply;
          return before + said + boundOf(others);
        },
        learn(usage) {
          const promptTokens = promptTokensOf(usage);
          if (promptTokens === 0) return; // no reply came
          const replyTokens = usage.output_tokens;
          const newest = messages[count - 1];
          known = { model, system, tools, count, newest, promptTokens, replyTokens };
        },
      };
    },
  };
}

/** Another model counts differently, and a compacted conversation starts again. Found tools follow the others. */
function isExtension({ model, system, tools, messages }: Measured, known: Known): boolean {
  return (
    model === known.model &&
    system === known.system &&
    (tools === known.tools || known.tools.every((tool, index) => tool === tools[index])) &&
    messages[known.count - 1] === known.newest
  );
}

function boundOfStatic({ system, tools }: Measured): number {
  let bytes = 0;
  for (const text of system) bytes += bytesOf(text);
  return PREAMBLE_TOKENS + Math.ceil(bytes / STATIC_BYTES_PER_TOKEN) + boundOfTools(tools);
}

function boundOfTools(tools: Measured['tools']): number {
  let bytes = 0;
  for (const tool of tools) bytes += bytesOf(JSON.stringify(tool));
  return FRAME_TOKENS * tools.length + Math.ceil(bytes / STATIC_BYTES_PER_TOKEN);
}

function boundOf(messages: readonly Message[]): number {
  let tokens = 0;
  for (const { content } of messages) {
    tokens += FRAME_TOKENS;
    for (const block of content) tokens += FRAME_TOKENS + boundOfBlock(block);
  }
  return tokens;
}

function boundOfBlock(block: ContentBlock | ToolReferenceBlock): number {
  switch (block.type) {
    case 'text':
      return bytesOf(block.text);
    case 'thinking':
      return bytesOf(block.thinking) + bytesOf(block.signature);
    case 'redacted_thinking':
      return bytesOf(block.data);
    case 'image':
      return IMAGE_TOKENS;
    case 'tool_reference':
      return bytesOf(block.tool_name); // its definition is one of the tools
    case 'tool_use':
      return bytesOf(block.name) + 2 * bytesOf(JSON.stringify(block.input ?? {})); // each field gets a frame
    case 'tool_result': {
      if (typeof block.content === 'string') return bytesOf(block.content);
      return block.content.reduce((sum, one) => sum + FRAME_TOKENS + boundOfBlock(one), 0);
    }
    case 'opaque':
      return bytesOf(JSON.stringify(block.raw));
    default:
      return block satisfies never;
  }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
