import type { Effort } from '../../core/agents/agent-definition.js';
import type { ContentBlock, Message } from '../../core/messages.js';
import type { ModelRequest, ModelTool, ServerTool, ThinkingConfig } from '../model.js';

const CACHE_MARK = { cache_control: { type: 'ephemeral' } } as const;

type Block = { readonly type: string; readonly [key: string]: unknown };
type BodyMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly Block[] };

/** The posted JSON: the `MessageCreateParamsStreaming` of the Messages API. */
export type RequestBody = {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: true;
  readonly system?: readonly Block[];
  readonly tools?: readonly ((ModelTool | ServerTool) & Partial<typeof CACHE_MARK>)[];
  readonly messages: readonly BodyMessage[];
  readonly tool_choice?: { readonly type: 'any' | 'none' };
  readonly stop_sequences?: readonly string[];
  readonly output_config?: { readonly effort: Effort };
  readonly thinking?:
    | { readonly type: 'adaptive' | 'disabled' }
    | { readonly type: 'enabled'; readonly budget_tokens: number };
};

/**
 * Make a request for the Messages API, with cache marks on the last tool that is not of a server, the last system block and
 * the last message.
 * Only objects with a mark or an opaque block are new; all others are those of the request.
 */
export function toRequestBody(request: ModelRequest): RequestBody {
  const { messages } = request;
  return {
    ...toBodyStart(request),
    ...toBodyPrompt(request),
    messages: messages.map((message, index) =>
      toBodyMessage(message, index + 1 === messages.length),
    ),
    ...toBodyEnd(request),
  };
}

/** The fields of a body in their order: these, those of the prompt, `messages`, those of the end. */
export function toBodyStart({ model, maxTokens }: ModelRequest) {
  return { model, max_tokens: maxTokens, stream: true } as const;
}

export function toBodyPrompt({
  system,
  tools,
  serverTools = [],
}: Pick<ModelRequest, 'system' | 'tools' | 'serverTools'>): Pick<RequestBody, 'system' | 'tools'> {
  const blocks = system
    .filter((text) => text !== '') // the API refuses empty text
    .map((text): Block => ({ type: 'text', text }));
  return {
    ...(blocks.length === 0 ? {} : { system: markAt(blocks, blocks.length - 1) }),
    ...(tools.length + serverTools.length === 0
      ? {}
      : { tools: [...markAt(tools, lastShared(tools)), ...serverTools] }),
  };
}

export function toBodyEnd({
  effort,
  thinking,
  toolChoice,
  stopSequences,
}: ModelRequest): Pick<
  RequestBody,
  'output_config' | 'thinking' | 'tool_choice' | 'stop_sequences'
> {
  return {
    ...(toolChoice === undefined ? {} : { tool_choice: { type: toolChoice } }),
    ...(stopSequences === undefined ? {} : { stop_sequences: stopSequences }),
    ...(effort === undefined ? {} : { output_config: { effort } }),
    ...(thinking === undefined ? {} : { thinking: toBodyThinking(thinking) }),
  };
}

function toBodyThinking(thinking: ThinkingConfig): NonNullable<RequestBody['thinking']> {
  return thinking.type === 'enabled'
    ? { type: 'enabled', budget_tokens: thinking.budgetTokens }
    : { type: thinking.type };
}

/** The last tool that agents with different servers share; -1 if every tool is of a server. */
function lastShared(tools: readonly ModelTool[]): number {
  return tools.findLastIndex(
    ({ name, defer_loading }) => defer_loading !== true && !name.startsWith('mcp__'),
  );
}

function markAt<T extends object>(
  items: readonly T[],
  index: number,
): readonly (T & Partial<typeof CACHE_MARK>)[] {
  const marked = items[index];
  return marked === undefined ? items : items.with(index, { ...marked, ...CACHE_MARK });
}

/** Only the last message of a body has a cache mark. */
export function toBodyMessage(message: Message, isLast: boolean): BodyMessage {
  const body = unwrapMessage(message);
  if (!isLast) return body;
  const index = body.content.findLastIndex((block) => MARKABLE.has(block.type));
  const block = body.content[index];
  if (block === undefined) return body;
  return { role: body.role, content: body.content.with(index, { ...block, ...CACHE_MARK }) };
}

/** Kinds of blocks that may have a cache mark; thinking may not, and opaque ones are unknown. */
const MARKABLE: ReadonlySet<string> = new Set(['text', 'image', 'tool_use', 'tool_result']);

function unwrapMessage(message: Message): BodyMessage {
  const { role, content } = message;
  const hasOpaque = role === 'assistant' && content.some((block) => block.type === 'opaque');
  // A block is a plain object; its type only lacks the index signature.
  if (!hasOpaque) return message as unknown as BodyMessage;
  return { role, content: content.map(unwrap) };
}

function unwrap(block: ContentBlock): Block {
  // As above; `raw` came as a block of the API and has its type.
  return (block.type === 'opaque' ? block.raw : block) as unknown as Block;
}
