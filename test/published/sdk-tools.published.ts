import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agent, requestsOf, results, textOf } from '../e2e/support/answers.js';
import { fixture } from '../support/mcp/servers.js';
import { createProgram, createPrompts, published, PUBLISHED, resultOf } from './support.js';

const { z } = (await import(
  pathToFileURL(join(PUBLISHED, 'zod/index.js')).href
)) as typeof import('zod');
const DONE = { text: 'Done.' };

/** A server in the program itself, and what it was called with. */
function createCounter() {
  const calls: unknown[] = [];
  const add = published.tool(
    'add',
    'Adds two numbers',
    { a: z.number(), b: z.number() },
    async (input: { readonly a: number; readonly b: number }) => {
      calls.push(input);
      return { content: [{ type: 'text', text: String(input.a + input.b) }] };
    },
  );
  const fail = published.tool('fail', 'Fails', {}, async () => {
    throw new Error('it cannot');
  });
  return { calls, server: published.createSdkMcpServer({ name: 'counter', tools: [add, fail] }) };
}

describe.concurrent('MCP servers inside a program of the published SDK', () => {
  it('have their tools called', async ({ onTestFinished }) => {
    const { api, run } = await createProgram(onTestFinished, {
      replies: [
        { tools: [{ name: 'mcp__counter__add', input: { a: 2, b: 3 } }] },
        { tools: [{ name: 'mcp__counter__fail', input: {} }] },
        DONE,
      ],
    });
    const { calls, server } = createCounter();
    const messages = await run('go', {
      mcpServers: { counter: server },
      allowedTools: ['mcp__counter'],
    });
    expect(calls).toEqual([{ a: 2, b: 3 }]);
    expect(textOf(results(api.requests[1])[0]?.content)).toBe('5');
    expect(results(api.requests[2])[0]).toMatchObject({ is_error: true });
    expect(messages[0]).toMatchObject({ mcp_servers: [{ name: 'counter', status: 'connected' }] });
    expect(resultOf(messages)['result']).toBe('Done.');
  });

  it('are replaced, disabled, enabled and connected anew while a query runs', async ({
    onTestFinished,
  }) => {
    const { api, query } = await createProgram(onTestFinished, {
      replies: [DONE, { tools: [{ name: 'mcp__counter__add', input: { a: 2, b: 3 } }] }, DONE],
    });
    const { calls, server } = createCounter();
    const broken = fixture(['--broken']);
    const prompts = createPrompts();
    prompts.say('first');
    const running = query(prompts, {
      mcpServers: { files: fixture() },
      allowedTools: ['mcp__counter'],
    });
    const statuses = async () =>
      (await running.mcpServerStatus()).map(({ name, status }) => [name, status]);
    const told: unknown[] = [];
    let turns = 0;
    for await (const { type } of running) {
      if (type !== 'result') continue;
      turns += 1;
      if (turns === 2) prompts.end();
      else {
        told.push(
          await running.setMcpServers({ counter: server, broken }),
          await running.toggleMcpServer('files', false),
          await statuses(),
          await running.toggleMcpServer('files', true),
          await running.reconnectMcpServer('counter'),
          await running.reconnectMcpServer('broken').catch((error: Error) => error.message),
          await statuses(),
          await running.setMcpServers({ counter: server }),
        );
        prompts.say('second');
      }
    }
    const why = expect.stringContaining('no database') as unknown;
    expect(told).toEqual([
      { added: ['broken', 'counter'], removed: [], errors: { broken: why } },
      undefined,
      [
        ['files', 'disabled'],
        ['broken', 'failed'],
        ['counter', 'connected'],
      ],
      undefined,
      undefined,
      why,
      [
        ['files', 'connected'],
        ['broken', 'failed'],
        ['counter', 'connected'],
      ],
      { added: [], removed: ['broken'], errors: {} },
    ]);
    expect(calls).toEqual([{ a: 2, b: 3 }]);
    expect(textOf(results(api.requests[2])[0]?.content)).toMatch(/^5\n<new-tools>\n/);
  });

  it('end a call at the timeout of their configuration', async ({ onTestFinished }) => {
    const { api, run } = await createProgram(onTestFinished, {
      replies: [{ tools: [{ name: 'mcp__slow__wait', input: {} }] }, DONE],
    });
    const wait = published.tool('wait', 'Waits', {}, () => new Promise(() => {}));
    const server = published.createSdkMcpServer({ name: 'slow', tools: [wait] });
    await run('go', {
      mcpServers: { slow: { ...server, timeout: 1_000 } },
      allowedTools: ['mcp__slow'],
    });
    expect(results(api.requests[1])[0]).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/no answer to wait within 1 s/),
    });
  });
});

describe.concurrent('agents of a program of the published SDK', () => {
  it('are started by the Agent tool, with their prompt, tools and model', async ({
    onTestFinished,
  }) => {
    const { api, run } = await createProgram(onTestFinished, {
      handler: ({ body }) =>
        JSON.stringify(body.messages[0]).includes('count the files')
          ? { text: 'Three.' }
          : body.messages.length === 1
            ? {
                tools: [
                  agent('count the files', { subagent_type: 'counter', run_in_background: false }),
                ],
              }
            : DONE,
    });
    const messages = await run('go', {
      agents: {
        counter: { description: 'Counts', prompt: 'You count.', tools: ['Read'], model: 'haiku' },
      },
      allowedTools: ['Agent'],
    });
    const [asked] = requestsOf(api, 'count the files');
    expect(asked?.body).toMatchObject({ model: 'claude-haiku-5-5' });
    expect(JSON.stringify(asked?.body['system'])).toContain('You count.');
    expect(asked?.body['tools']).toEqual([expect.objectContaining({ name: 'Read' })]);
    expect(messages.some((one) => one['parent_tool_use_id'] === 'toolu_fake_0_0')).toBe(true);
    expect(resultOf(messages)['result']).toBe('Done.');
  });
});

describe.concurrent('outputFormat of the published SDK', () => {
  it('gives an answer that satisfies the schema', async ({ onTestFinished }) => {
    const { run } = await createProgram(onTestFinished, {
      replies: [
        { tools: [{ name: 'StructuredOutput', input: { count: 'many' } }] },
        { tools: [{ name: 'StructuredOutput', input: { count: 3 } }] },
      ],
    });
    const schema = {
      type: 'object',
      properties: { count: { type: 'integer' } },
      required: ['count'],
    };
    const messages = await run('go', { outputFormat: { type: 'json_schema', schema } });
    expect(resultOf(messages)).toMatchObject({
      subtype: 'success',
      structured_output: { count: 3 },
    });
  });
});
