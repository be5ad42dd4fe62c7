import { z } from 'zod';
import type { McpToolDescriptor } from '../../../core/agents/mcp-types.js';
import type { ImageBlock, TextBlock } from '../../../core/messages.js';
import { given } from '../../../core/json/given.js';
import { firstChars } from '../../../core/text/first-chars.js';
import { DEEPEST_JSON, isTooDeep } from '../../../model/stream/json-depth.js';
import { completeTool } from '../../../tools/complete-tool.js';
import type { RequestDetails } from '../../../tools/request-details.js';
import type { AnyObject, Tool } from '../../../tools/tool.js';
import { textOfBlocks, toResultBlocks } from './content-blocks.js';
import { McpToolError } from '../mcp-errors.js';
import type { McpCallResult } from './sdk-answers.js';
import type { McpCall } from './sdk-client.js';
import { toMcpToolName } from '../servers/tool-names.js';

/** Most characters that a tool itself may allow its results. */
const MOST_RESULT_CHARS = 500_000;
/** Limited, since each request carries the description. */
const MAX_DESCRIPTION_CHARS = 2_048;

export type McpCaller = (call: Omit<McpCall, 'limits'>) => Promise<McpCallResult>;

/** Choices for all tools of a server. */
type ToolChoices = { readonly maxResultChars?: number; readonly alwaysLoad?: boolean };

type Output = readonly (TextBlock | ImageBlock)[];

/**
 * Convert a server's tools to tools of agents; `leftOut` says which ones cannot be converted. If the server says that a
 * tool only reads, calls of it run in parallel; no permission depends on that.
 */
export function createMcpTools(
  server: string,
  descriptors: readonly McpToolDescriptor[],
  callServer: McpCaller,
  { maxResultChars = 100_000, alwaysLoad = false }: ToolChoices = {},
): { readonly tools: readonly Tool[]; readonly leftOut: readonly string[] } {
  const tools = new Map<string, Tool>();
  const leftOut: string[] = [];
  for (const descriptor of descriptors) {
    const name = toMcpToolName(server, descriptor.name);
    const problem = problemOf(name, descriptor, tools);
    if (name === undefined || problem !== undefined)
      leftOut.push(`"${descriptor.name.slice(0, 200)}": ${problem}`);
    else
      tools.set(
        name,
        createMcpTool(server, name, descriptor, callServer, { maxResultChars, alwaysLoad }),
      );
  }
  return { tools: [...tools.values()], leftOut };
}

function problemOf(
  name: string | undefined,
  { inputSchema }: McpToolDescriptor,
  taken: ReadonlyMap<string, Tool>,
): string | undefined {
  if (name === undefined) return 'its name is too long';
  if (taken.has(name)) return `there is already a tool ${name}`;
  if (isTooDeep(inputSchema)) return `its input is nested more than ${DEEPEST_JSON} deep`;
  const keyword = ['oneOf', 'anyOf', 'allOf'].find((one) => one in inputSchema);
  return keyword === undefined
    ? undefined
    : `its input has ${keyword} at the top, which the Messages API refuses`;
}

function createMcpTool(
  serverName: string,
  name: string,
  descriptor: McpToolDescriptor,
  callServer: McpCaller,
  { maxResultChars, alwaysLoad }: Required<ToolChoices>,
): Tool {
  const { name: toolName, description = '', inputSchema, annotations, _meta: meta } = descriptor;
  const searchHint = meta?.['anthropic/searchHint'];
  const title = descriptor.title ?? annotations?.title ?? toolName;
  const told = description || `${title}, a tool of the MCP server ${serverName}.`;
  const tool: Tool<AnyObject, Output> = completeTool<AnyObject, Output>({
    name,
    mcpInfo: { serverName, toolName },
    inputSchema: z.looseObject({}),
    inputJSONSchema: inputSchema,
    alwaysLoad: alwaysLoad || meta?.['anthropic/alwaysLoad'] === true,
    ...(typeof searchHint === 'string' && { searchHint }),
    maxResultSizeChars: ownLimitOf(meta) ?? maxResultChars,
    userFacingName: () => `${serverName}: ${title} (MCP)`,
    description: (input) => JSON.stringify(input).slice(0, 200),
    prompt: () =>
      told.length > MAX_DESCRIPTION_CHARS ? `${firstChars(told, MAX_DESCRIPTION_CHARS)}…` : told,
    isConcurrencySafe: () => annotations?.readOnlyHint === true,
    isDestructive: () => annotations?.destructiveHint === true,
    requestDetails: () => describeHints(serverName, annotations),
    async call(
      args,
      { call: { abortController, serverRequests } },
      _canUseTool,
      _parentMessage,
      onProgress,
    ) {
      const unanswered: string[] = [];
      const result = await callServer({
        tool: toolName,
        args,
        signal: abortController.signal,
        requests: serverRequests,
        onUnanswered: (reason) => unanswered.push(reason),
        ...(onProgress === undefined
          ? {}
          : { onProgress: (progress) => onProgress({ ...progress, type: 'mcp_progress' }) }),
      });
      const blocks = [...toResultBlocks(result), ...unanswered.map(describeUnanswered)];
      if (result.isError === true) throw new McpToolError(textOfBlocks(blocks));
      const { _meta, structuredContent } = result;
      return { data: blocks, mcpMeta: given({ _meta, structuredContent }) };
    },
    mapToolResultToToolResultBlockParam: (content, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content,
    }),
  });
  return tool;
}

/** Describe the hints of a server about the effect of a tool. Nobody has checked them. */
function describeHints(
  serverName: string,
  {
    readOnlyHint,
    destructiveHint,
    openWorldHint,
  }: NonNullable<McpToolDescriptor['annotations']> = {},
): RequestDetails {
  const said = [
    ...sayIf(readOnlyHint, 'it only reads', 'it changes something'),
    ...sayIf(destructiveHint, 'it can destroy something', 'it destroys nothing'),
    ...sayIf(openWorldHint, 'it reaches the outside world', 'it reaches nothing outside'),
  ];
  return {
    Server: serverName,
    'Says of itself': said.length === 0 ? 'nothing' : `${said.join(', ')} (not checked)`,
  };
}

function sayIf(hint: boolean | undefined, yes: string, no: string): readonly string[] {
  return hint === undefined ? [] : [hint ? yes : no];
}

/** The server may say that the user declined: the model must know better. */
function describeUnanswered(reason: string): TextBlock {
  return { type: 'text', text: `[A question of the server has no answer. ${reason}]` };
}

/** A server may allow one of its tools longer results, within reason. */
function ownLimitOf(meta: McpToolDescriptor['_meta']): number | undefined {
  const chars = meta?.['anthropic/maxResultSizeChars'];
  return typeof chars === 'number' && chars > 0 ? Math.min(chars, MOST_RESULT_CHARS) : undefined;
}
