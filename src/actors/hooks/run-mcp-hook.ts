import { textOfBlocks, toResultBlocks } from '../../extensions/mcp/client/content-blocks.js';
import type { McpCallResult } from '../../extensions/mcp/client/sdk-answers.js';
import type { HookInput } from '../../extensions/hooks/hook-inputs.js';
import { readText } from '../../extensions/hooks/hook-output.js';
import { isRecord } from '../../core/json/is-record.js';
import type { McpToolHook } from '../../settings/schema/hooks-settings.js';
import type { HookRun } from './hook-end.js';

/** Call a tool of a server. Rejects if there is no such server, or it is not connected. */
export type CallTool = (
  server: string,
  call: {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly signal: AbortSignal;
  },
) => Promise<McpCallResult>;

/** Call the tool of a hook. Its text is the output of the hook. */
export async function runMcpHook(
  { server, tool, input: own = {} }: McpToolHook,
  input: HookInput,
  callTool: CallTool,
  signal: AbortSignal,
): Promise<HookRun> {
  const args = filledIn(own, input) as Readonly<Record<string, unknown>>; // an object stays one
  const result = await callTool(server, { tool, args, signal });
  const stdout = textOfBlocks(toResultBlocks(result));
  const said =
    result.isError === true
      ? { problem: `the tool ${tool} of ${server} failed: ${stdout}` }
      : readText(stdout, input.hook_event_name);
  return { said, stdout, stderr: '' };
}

/** Fill in `${path.to.field}` of all texts. */
function filledIn(value: unknown, input: HookInput): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([\w.]+)\}/g, (_, path: string) => textAt(input, path));
  if (Array.isArray(value)) return value.map((one) => filledIn(one, input));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledIn(one, input)]));
}

/** The field of an event as text; empty if there is no such field. */
function textAt(input: unknown, path: string): string {
  let value = input;
  for (const name of path.split('.')) value = isRecord(value) ? value[name] : undefined;
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}
