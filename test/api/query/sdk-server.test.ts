import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSdkMcpServer, tool } from '../../../src/extensions/mcp/servers/sdk-server.js';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import { createHttpServer, serveTools } from '../../support/mcp/http-server.js';
import type { ToolCall } from '../../support/mcp/tool-server.js';
import { collect, createQueries, resultOf } from './support.js';

function createSums() {
  const calls: unknown[] = [];
  const add = tool(
    'add',
    'Adds two numbers.',
    { a: z.number(), b: z.number().describe('The second one') },
    async ({ a, b }) => {
      calls.push([a, b]);
      if (b === 0) throw new Error('nothing to add');
      return { content: [{ type: 'text', text: String(a + b) }] };
    },
    { annotations: { readOnlyHint: true } },
  );
  return { calls, server: createSdkMcpServer({ name: 'sums', tools: [add] }) };
}

/** Uses the tool with each of these inputs at once, then tells the results. */
function play(inputs: readonly Record<string, unknown>[]) {
  return ({ body: { messages } }: FakeRequest): FakeReply => {
    if (messages.length === 1)
      return { tools: inputs.map((input) => ({ name: 'mcp__sums__add', input })) };
    const results = messages.at(-1)?.content as readonly { content?: unknown }[];
    const texts = results.map(({ content }) => JSON.stringify(content));
    return { text: texts.join('\n') };
  };
}

it('a server at an address lends its tools to a query, and gets its headers', async ({
  onTestFinished,
}) => {
  const http = await createHttpServer();
  onTestFinished(() => http.close());
  const add = ({ args, headers }: ToolCall): string =>
    `${Number(args['a']) + Number(args['b'])} ${String(headers['x-key'])}`;
  const url = serveTools(http, '/mcp', { tools: { add } });
  const { ask } = await createQueries({ handler: play([{ a: 1, b: 2 }]) });
  const sums = { type: 'http', url, headers: { 'X-Key': 'k' } } as const;
  const options = { mcpServers: { sums }, allowedTools: ['mcp__sums'] };
  expect(await resultOf(ask('Add.', options))).toMatchObject({
    result: expect.stringContaining('"3 k"'),
  });
});

describe('a server of the program itself', () => {
  it('lends its tools: their input is checked, and the model sees their errors', async () => {
    const { server, calls } = createSums();
    const inputs = [
      { a: 1, b: 2 },
      { a: 'x', b: 2 },
      { a: 1, b: 0 },
    ];
    const { ask, api } = await createQueries({ handler: play(inputs) });
    const messages = await collect(
      ask('Add.', { mcpServers: { sums: server }, allowedTools: ['mcp__sums'] }),
    );
    expect(messages[0]).toMatchObject({
      tools: expect.arrayContaining(['mcp__sums__add']),
      mcp_servers: [{ name: 'sums', status: 'connected' }],
    });
    const tools = api.requests[0]?.body['tools'] as readonly { name: string }[];
    expect(tools.find(({ name }) => name === 'mcp__sums__add')).toMatchObject({
      description: 'Adds two numbers.',
      input_schema: { type: 'object', required: ['a', 'b'] },
    });
    const [sum, bad, thrown] = ((messages.at(-1) as { result?: string }).result ?? '').split('\n');
    expect(sum).toContain('"3"');
    expect(bad).toContain('a must be number');
    expect(thrown).toContain('nothing to add');
    expect(calls).toEqual([
      [1, 2],
      [1, 0],
    ]);
  });

  it('asks before a tool of it runs', async () => {
    const { server, calls } = createSums();
    const { ask } = await createQueries({ handler: play([{ a: 1, b: 2 }]) });
    const result = await resultOf(ask('Add.', { mcpServers: { sums: server } }));
    expect(result.permission_denials.map(({ tool_name }) => tool_name)).toEqual(['mcp__sums__add']);
    expect(calls).toEqual([]);
  });

  it('serves many queries at the same time', async () => {
    const { server, calls } = createSums();
    const { ask } = await createQueries({ handler: play([{ a: 1, b: 2 }]) });
    const options = { mcpServers: { sums: server }, allowedTools: ['mcp__sums__add'] };
    const results = await Promise.all(
      Array.from({ length: 10 }, () => resultOf(ask('Add.', options))),
    );
    expect(results.every(({ is_error }) => !is_error)).toBe(true);
    expect(calls).toHaveLength(10);
  });

  it('may be one of the MCP SDK, and tells how it stands', async () => {
    const instance = new McpServer({ name: 'own', version: '1' });
    instance.registerTool('add', { description: 'Adds.' }, () => ({
      content: [{ type: 'text', text: 'added' }],
    }));
    const { ask } = await createQueries({ handler: play([{}]) });
    const sums = { type: 'sdk', name: 'own', instance } as const;
    const query = ask('Add.', { mcpServers: { sums }, allowedTools: ['mcp__sums__add'] });
    await query.next(); // init
    expect(await query.mcpServerStatus()).toEqual([{ name: 'sums', status: 'connected' }]);
    expect(await resultOf(query)).toMatchObject({ result: expect.stringContaining('added') });
  });

  it('is reported if it cannot be connected', async () => {
    const instance = { connect: () => Promise.reject(new Error('out of order')) };
    const { ask, told } = await createQueries({ replies: [{ text: 'Hello.' }] });
    const query = ask('Hi.', { mcpServers: { sums: { type: 'sdk', name: 's', instance } } });
    const messages = await collect(query);
    expect(messages[0]).toMatchObject({ mcp_servers: [{ name: 'sums', status: 'failed' }] });
    expect(told).toEqual(['troupe: The MCP server "sums" is not connected: out of order\n']);
  });
});
