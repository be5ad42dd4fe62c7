import { describe, expect, it } from 'vitest';
import {
  createSdkMcpServer,
  query,
  tool,
  type CanUseTool,
  type McpSdkServerConfigWithInstance,
  type Options,
  type PermissionMode,
  type Query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from '../../../src/index.js';
import { z } from 'zod';
import { createQueries, user } from './support.js';

/** As programs for the Claude Agent SDK are written, types and all. */
async function run(base: Options, texts: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  const server: McpSdkServerConfigWithInstance = createSdkMcpServer({
    name: 'echo',
    tools: [
      tool('say', 'Says it.', { text: z.string() }, async ({ text }) => ({
        content: [{ type: 'text', text: text.toUpperCase() }],
      })),
    ],
  });
  const canUseTool: CanUseTool = async (toolName, input, { signal, suggestions = [] }) =>
    signal.aborted || suggestions.length === 0
      ? { behavior: 'deny', message: `Not ${toolName}.`, interrupt: false }
      : { behavior: 'allow', updatedInput: input };
  const permissionMode: PermissionMode = 'default';
  const options: Options = {
    ...base,
    canUseTool,
    permissionMode: permissionMode === 'default' ? permissionMode : undefined,
    mcpServers: { echo: server },
    agents: { helper: { description: 'Helps.', prompt: 'Help.', tools: ['Read'], model: 'haiku' } },
    env: { ...process.env, ...base.env },
  };
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    for (const text of texts) yield user(text);
  }
  const running: Query = query({ prompt: prompts(), options });
  let result: SDKResultMessage | undefined;
  for await (const message of running) {
    const each: SDKMessage = message;
    if (each.type === 'assistant')
      for (const block of each.message.content) {
        if (block.type === 'text') seen.push(block.text);
        if (block.type === 'tool_use') seen.push(block.name);
      }
    if (each.type === 'system' && each.subtype === 'init') seen.push(...each.tools.slice(-1));
    if (each.type === 'result') result = each;
  }
  if (result?.subtype === 'success')
    seen.push(`${result.result} ${result.usage.output_tokens > 0}`);
  return seen;
}

describe('the types of a program for the Claude Agent SDK', () => {
  it('are those of query', async () => {
    const { cwd, env } = await createQueries({
      handler: ({ body: { messages } }) =>
        messages.length === 1
          ? { tools: [{ name: 'mcp__echo__say', input: { text: 'hello' } }] }
          : { text: 'Said.' },
    });
    expect(await run({ cwd, env }, ['Say hello.'])).toEqual([
      'mcp__echo__say',
      'mcp__echo__say',
      'Said.',
      'Said. true',
    ]);
  });
});
