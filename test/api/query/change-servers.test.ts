import { describe, expect, it } from 'vitest';
import {
  createSdkMcpServer,
  tool,
  type McpServerToolPolicy,
} from '../../../src/extensions/mcp/servers/sdk-server.js';
import type { McpServers } from '../../../src/extensions/mcp/servers/server-config.js';
import type { QueryOptions } from '../../../src/api/query/query-options.js';
import { fixture } from '../../support/mcp/servers.js';
import { createPrompts, createQueries } from './support.js';

const DEAD = fixture(['--broken']);

/** A server of the program with one tool of this name. */
const own = (name: string, tools?: readonly McpServerToolPolicy[]): McpServers[string] => ({
  ...createSdkMcpServer({
    name,
    tools: [
      tool('say', 'Says its server.', {}, async () => ({
        content: [{ type: 'text', text: name }],
      })),
    ],
  }),
  ...(tools && { tools }),
});

/** A query that waits for prompts, and whose model uses the tool that a prompt names. */
async function createChat(options: QueryOptions) {
  const { ask, api } = await createQueries({
    handler({ body }) {
      const last = body.messages.at(-1)?.content;
      const blocks = typeof last === 'string' ? [] : (last ?? []);
      const result = blocks.find(({ type }) => type === 'tool_result');
      if (result !== undefined) return { text: JSON.stringify(result) };
      const said = blocks.map((block) => ('text' in block ? String(block['text']) : '')).join('');
      const name = /mcp__\w+/.exec(said === '' ? String(last) : said)?.[0] ?? '';
      return { tools: [{ name, input: {} }] };
    },
  });
  const prompts = createPrompts();
  const query = ask(prompts, { allowedTools: ['mcp__a', 'mcp__b', 'mcp__c'], ...options });
  return {
    query,
    api,
    status: async () =>
      Object.fromEntries((await query.mcpServerStatus()).map(({ name, status }) => [name, status])),
    /** Return the result that the model reads of a call of the tool. */
    async use(name: string): Promise<string> {
      prompts.say(`Use ${name}`);
      for await (const message of { [Symbol.asyncIterator]: () => ({ next: () => query.next() }) })
        if (message.type === 'result') return message.subtype === 'success' ? message.result : '';
      return '';
    },
  };
}

describe('the servers of a running query', () => {
  it('are replaced, and the agent has the tools of the new ones', async () => {
    const { query, status, use } = await createChat({ mcpServers: { a: fixture(), b: own('b') } });
    expect(await use('mcp__b__say')).toContain('"text":"b"');
    expect(await query.setMcpServers({ c: own('c') })).toEqual({
      added: ['c'],
      removed: ['b'],
      errors: {},
    });
    await expect.poll(status).toEqual({ a: 'connected', c: 'connected' });
    expect(await use('mcp__c__say')).toContain('"text":"c"');
    expect(await use('mcp__b__say')).toContain('it is not configured any more');
    await query.return();
  });

  it('stay if an option names them, until a call has named them', async () => {
    const { query, status } = await createChat({ mcpServers: { a: fixture() } });
    expect(await query.setMcpServers({})).toEqual({ added: [], removed: [], errors: {} });
    expect(await query.setMcpServers({ a: fixture(['--polite']) })).toMatchObject({
      added: ['a'],
      removed: [],
    });
    expect(await query.setMcpServers({})).toEqual({ added: [], removed: ['a'], errors: {} });
    await expect.poll(status).toEqual({});
    await query.return();
  });

  it('that cannot connect are named with the reason, and the others work', async () => {
    const { query, status } = await createChat({});
    expect(await query.setMcpServers({ a: DEAD, b: own('b') })).toEqual({
      added: ['a', 'b'],
      removed: [],
      errors: { a: expect.stringContaining('exit code 3') },
    });
    await expect.poll(status).toEqual({ a: 'failed', b: 'connected' });
    await query.return();
  });

  it.each([
    [{ a: { type: 'ws', url: 'ws://x' } }, '"servers.a" has the type ws'],
    [{ a_b: own('x'), 'a b': own('x') }, 'would both be'],
    [7, 'servers'],
  ])('%j is refused, and nothing changes', async (servers, why) => {
    const { query, status } = await createChat({ mcpServers: { a: own('a') } });
    await expect(query.setMcpServers(servers as McpServers)).rejects.toThrow(why);
    await expect.poll(status).toEqual({ a: 'connected' });
    await query.return();
  });

  it('keep to the policies of their tools, which a later call replaces', async () => {
    const denied = [{ name: 'say', permission_policy: 'always_deny' } as const];
    const { query, use } = await createChat({ mcpServers: { a: own('a', denied) } });
    expect(await use('mcp__a__say')).toMatch(/No tool named|denied/);
    await query.setMcpServers({ b: own('b', denied) });
    expect(await use('mcp__b__say')).toMatch(/No tool named|denied/);
    await query.setMcpServers({ b: own('b', []) });
    expect(await use('mcp__b__say')).toContain('"text":"b"');
    await query.return();
  });
});

describe('one server of a running query', () => {
  it('is disabled and enabled by its name', async () => {
    const { query, status, use } = await createChat({ mcpServers: { a: own('a'), b: fixture() } });
    await query.toggleMcpServer('a', false);
    await expect.poll(status).toEqual({ a: 'disabled', b: 'connected' });
    expect(await use('mcp__a__say')).toContain('No tool named');
    await query.toggleMcpServer('a', true);
    await expect.poll(status).toEqual({ a: 'connected', b: 'connected' });
    expect(await use('mcp__a__say')).toContain('"text":"a"');
    await query.toggleMcpServer('a', false);
    expect(await use('mcp__a__say')).toContain('it is disabled');
    await query.return();
  });

  it('is connected again, or the call rejects with the reason', async () => {
    const { query, status, use } = await createChat({ mcpServers: { a: own('a'), b: DEAD } });
    await query.reconnectMcpServer('a');
    await expect.poll(status).toEqual({ a: 'connected', b: 'failed' });
    expect(await use('mcp__a__say')).toContain('"text":"a"');
    await expect(query.reconnectMcpServer('b')).rejects.toThrow('exit code 3');
    await query.toggleMcpServer('a', false);
    await expect(query.reconnectMcpServer('a')).rejects.toThrow('is disabled');
    await query.return();
  });

  it('must be one of the session', async () => {
    const { query } = await createChat({ mcpServers: { a: own('a') } });
    const why = 'There is no MCP server "x" in this session. It has: a.';
    await expect(query.toggleMcpServer('x', false)).rejects.toThrow(why);
    await expect(query.reconnectMcpServer('x')).rejects.toThrow(why);
    await query.return();
  });
});
