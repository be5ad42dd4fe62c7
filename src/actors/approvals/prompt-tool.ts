import { isDeepStrictEqual } from 'node:util';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import type { PermissionRequest } from '../../core/events.js';
import { PermissionAnswer } from '../../core/decision-types.js';
import { textOfBlocks, toResultBlocks } from '../../extensions/mcp/client/content-blocks.js';
import { McpToolError } from '../../extensions/mcp/mcp-errors.js';
import type { Tool } from '../../tools/tool.js';
import type { AskHandler } from '../contract/approvals.js';
import type { McpPool } from '../mcp/mcp-servers.js';

const SHAPES =
  '{"behavior":"allow","updatedInput":{…}} (the input may be left out) or {"behavior":"deny","message":"why"}';

/** A tool of an MCP server that decides requests in the place of a person. Agents do not have it. */
interface PromptTool {
  readonly handler: AskHandler;
  /** Resolve when the tool is ready. @throws UsageError with the names of the available tools */
  ready(): Promise<void>;
}

/** @param open starts the servers; resolves with all their tools */
export function createPromptTool(
  name: string,
  { open, call }: { open: () => Promise<readonly Tool[]>; call: McpPool['call'] },
): PromptTool {
  let found: NonNullable<Tool['mcpInfo']> | undefined;
  const find = async (): Promise<NonNullable<Tool['mcpInfo']>> => {
    if (found !== undefined) return found;
    const tools = await open();
    found = tools.find((tool) => tool.name === name)?.mcpInfo;
    if (found !== undefined) return found;
    const names = tools.map((tool) => tool.name).join(', ') || 'none';
    throw new UsageError(
      `There is no tool "${name}" to decide permission requests. Tools of the connected MCP servers: ${names}.`,
    );
  };
  return {
    async ready() {
      await find();
    },
    async handler(request, { signal }) {
      const { serverName, toolName } = await find();
      const { toolName: tool_name, input, toolUseId: tool_use_id } = request;
      const args = { tool_name, input, tool_use_id };
      const result = await call(serverName, { tool: toolName, args, signal });
      const text = textOfBlocks(toResultBlocks(result));
      if (result.isError === true) throw new McpToolError(text);
      return readAnswer(text, request);
    },
  };
}

/** An input that comes back unchanged was not edited. */
function readAnswer(text: string, request: PermissionRequest): PermissionAnswer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TypeError(`Its answer is not JSON: "${text.slice(0, 200)}". It must be ${SHAPES}.`);
  }
  const parsed = PermissionAnswer.safeParse(value);
  if (!parsed.success) {
    const why = describeRefusal(parsed.error, value, quotedField('it'));
    throw new TypeError(`Its answer cannot be used: ${withFullStop(why)} It must be ${SHAPES}.`);
  }
  const answer = parsed.data as PermissionAnswer; // JSON has no undefined values
  if (answer.behavior === 'deny' || !isDeepStrictEqual(answer.updatedInput, request.input))
    return answer;
  const { updatedInput: _unchanged, ...rest } = answer;
  return rest;
}
