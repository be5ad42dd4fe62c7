import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ErrorCode,
  McpError,
  type CreateMessageRequestParams,
  type CreateMessageResultWithTools,
  type SamplingMessage,
  type SamplingMessageContentBlock,
} from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../../core/json/is-record.js';
import {
  textOf,
  type AssistantMessage,
  type Message,
  type TextBlock,
  type ToolUseBlock,
  type UserBlock,
} from '../../../core/messages.js';
import type { SamplingRequest } from '../../../tools/capabilities/server-requests.js';
import { IMAGE_TYPES, toResultBlocks } from './content-blocks.js';
import { problemOfCall, whilePaused, type RunningCall } from './running-call.js';

/** Answer the model requests of a server. Models take no temperature, and no context of servers is sent. */
export function answerSampling(
  client: Client,
  { server, running }: { readonly server: string; readonly running: ReadonlySet<RunningCall> },
): void {
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) => {
    const call = [...running].at(-1);
    const problem = problemOfSampling(params, running) ?? problemOfCall(call);
    if (call?.requests === undefined || problem !== undefined)
      throw new McpError(ErrorCode.InvalidRequest, problem ?? 'No call of an agent runs.');
    const { requests } = call;
    const { model, message, stopReason } = await whilePaused(call, () =>
      requests.sample(toRequest(server, params), AbortSignal.any([signal, call.signal])),
    );
    const hasTools = params.tools !== undefined || params.toolChoice !== undefined;
    return {
      model,
      role: 'assistant',
      content: toContent(message, hasTools),
      stopReason: STOP_REASONS[stopReason ?? ''] ?? 'endTurn',
    } satisfies CreateMessageResultWithTools;
  });
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  max_tokens: 'maxTokens',
  stop_sequence: 'stopSequence',
  tool_use: 'toolUse',
};

const TOOL_CHOICES = { auto: undefined, required: 'any', none: 'none' } as const;

function toRequest(serverName: string, params: CreateMessageRequestParams): SamplingRequest {
  const { maxTokens, systemPrompt, modelPreferences, tools = [], toolChoice } = params;
  const { stopSequences = [] } = params;
  return {
    serverName,
    systemPrompt,
    messages: params.messages.map(toMessage),
    maxTokens,
    modelHints: (modelPreferences?.hints ?? []).flatMap(({ name }) => name ?? []),
    tools: tools.map(({ name, description = '', inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    })),
    toolChoice: tools.length === 0 ? undefined : TOOL_CHOICES[toolChoice?.mode ?? 'auto'],
    stopSequences: stopSequences.length === 0 ? undefined : stopSequences,
  };
}

function problemOfSampling(
  { tools = [], toolChoice, messages, maxTokens, stopSequences = [] }: CreateMessageRequestParams,
  running: ReadonlySet<RunningCall>,
): string | undefined {
  const badName = tools.find(({ name }) => !/^[\w-]{1,128}$/.test(name))?.name;
  if (badName !== undefined)
    return `The tool name ${JSON.stringify(badName.slice(0, 200))} has other characters than letters, digits, _ and -, or more than 128.`;
  if (tools.length === 0 && toolChoice?.mode === 'required')
    return 'toolChoice "required" needs tools.';
  if (stopSequences.some((text) => text.trim() === ''))
    return 'A stop sequence needs a character that is not blank.';
  if (maxTokens < 1) return 'maxTokens must be at least 1.';
  const isShown = messages.every(({ content }) => listOf(content).every(isShowable));
  if (!isShown)
    return 'Sampling takes text, PNG, JPEG, GIF and WebP images, and calls of tools with their results.';
  const agents = new Set([...running].map(({ requests }) => requests?.agentId));
  return agents.size > 1
    ? 'Calls of several agents run: it is unknown which one pays. Ask again in a moment.'
    : undefined;
}

function isShowable(content: SamplingMessageContentBlock): boolean {
  return content.type === 'image'
    ? IMAGE_TYPES.includes(content.mimeType)
    : content.type !== 'audio';
}

function toMessage({ role, content }: SamplingMessage): Message {
  const blocks = listOf(content);
  return role === 'user'
    ? { role, content: blocks.flatMap(toUserBlock) }
    : { role, content: blocks.flatMap(toAssistantBlock) };
}

function toUserBlock(content: SamplingMessageContentBlock): readonly UserBlock[] {
  switch (content.type) {
    case 'text':
      return [{ type: 'text', text: content.text }];
    case 'image': {
      const { data, mimeType } = content;
      return [{ type: 'image', source: { type: 'base64', media_type: mimeType, data } }];
    }
    case 'tool_result':
      return [
        {
          type: 'tool_result',
          tool_use_id: content.toolUseId,
          content: toResultBlocks(content),
          ...(content.isError === true && { is_error: true }),
        },
      ];
    case 'audio':
    case 'tool_use':
      return [];
  }
  return content satisfies never;
}

function toAssistantBlock(
  content: SamplingMessageContentBlock,
): readonly (TextBlock | ToolUseBlock)[] {
  if (content.type === 'text') return [{ type: 'text', text: content.text }];
  if (content.type !== 'tool_use') return [];
  const { id, name, input } = content;
  return [{ type: 'tool_use', id, name, input }];
}

function listOf(content: SamplingMessage['content']): readonly SamplingMessageContentBlock[] {
  return Array.isArray(content) ? content : [content];
}

/** Text is one block for a server that gives no tools. */
function toContent(
  { content }: AssistantMessage,
  hasTools: boolean,
): CreateMessageResultWithTools['content'] {
  if (!hasTools) return { type: 'text', text: textOf({ role: 'assistant', content }) };
  return content.flatMap((block): readonly SamplingMessageContentBlock[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    if (block.type !== 'tool_use') return [];
    const { id, name, input } = block;
    return [{ type: 'tool_use', id, name, input: isRecord(input) ? input : {} }];
  });
}
