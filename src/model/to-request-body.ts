import type { Effort } from '../core/agent-definition.js';
import type { ContentBlock, Message } from '../core/messages.js';
import type { ModelRequest, ModelTool, ThinkingConfig } from './model.js';

const CACHE_MARK = { cache_control: { type: 'ephemeral' } } as const;

type Block = { readonly type: string; readonly [key: string]: unknown };
type BodyMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly Block[] };

/** The JSON that is posted: what the Messages API calls `MessageCreateParamsStreaming`. */
export type RequestBody = {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: true;
  readonly system?: readonly Block[];
  readonly tools?: readonly (ModelTool & Partial<typeof CACHE_MARK>)[];
  readonly messages: readonly BodyMessage[];
  readonly output_config?: { readonly effort: Effort };
  readonly thinking?:
    | { readonly type: 'adaptive' | 'disabled' }
    | { readonly type: 'enabled'; readonly budget_tokens: number };
};

/**
 * A request as the Messages API wants it, with cache marks on the last tool, the last system block and the last message.
 * Only what carries a mark or an opaque block is built anew; everything else is the object that was passed in.
 */
export function toRequestBody(request: ModelRequest): RequestBody {
  const system = request.system
    .filter((text) => text !== '') // the API refuses empty text
    .map((text): Block => ({ type: 'text', text }));
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: true,
    ...(system.length === 0 ? {} : { system: markLast(system) }),
    ...(request.tools.length === 0 ? {} : { tools: markLast(request.tools) }),
    messages: toBodyMessages(request.messages),
    ...(request.effort === undefined ? {} : { output_config: { effort: request.effort } }),
    ...(request.thinking === undefined ? {} : { thinking: toBodyThinking(request.thinking) }),
  };
}

function toBodyThinking(thinking: ThinkingConfig): NonNullable<RequestBody['thinking']> {
  return thinking.type === 'enabled'
    ? { type: 'enabled', budget_tokens: thinking.budgetTokens }
    : { type: thinking.type };
}

function markLast<T extends object>(
  items: readonly T[],
): readonly (T & Partial<typeof CACHE_MARK>)[] {
  const last = items.at(-1);
  return last === undefined ? items : [...items.slice(0, -1), { ...last, ...CACHE_MARK }];
}

function toBodyMessages(messages: readonly Message[]): readonly BodyMessage[] {
  const body = messages.map(toBodyMessage);
  const last = body.at(-1);
  if (last === undefined) return body;
  const index = last.content.findLastIndex((block) => MARKABLE.has(block.type));
  const block = last.content[index];
  if (block === undefined) return body;
  const content = last.content.with(index, { ...block, ...CACHE_MARK });
  body[body.length - 1] = { role: last.role, content };
  return body;
}

/** Kinds of blocks that may carry a cache mark; thinking may not, and of opaque ones nobody knows. */
const MARKABLE: ReadonlySet<string> = new Set(['text', 'image', 'tool_use', 'tool_result']);

function toBodyMessage(message: Message): BodyMessage {
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
