import { describe, expect, it } from 'vitest';
import { bashCall, playParts } from '../../support/scripts.js';
import { createClient, type Line } from './support.js';

const plain = () => ({ text: 'Done.' });
const isResultNumber =
  (wanted: number, lines: readonly Line[]) =>
  (line: Line): boolean =>
    line['type'] === 'result' && lines.filter(({ type }) => type === 'result')[wanted - 1] === line;

describe('a control request', () => {
  it('changes model and thinking from the next model request on', async () => {
    const client = await createClient(plain);
    await client.ask({ subtype: 'set_model', model: 'opus' });
    await client.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 2_000 });
    client.say('One.');
    await client.result();
    await client.ask({ subtype: 'set_model' });
    await client.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 0 });
    client.say('Two.');
    await client.line(isResultNumber(2, client.lines));
    await client.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: null });
    client.say('Three.');
    await client.line(isResultNumber(3, client.lines));
    expect(client.requests.map(({ model, thinking }) => [model, thinking])).toEqual([
      [expect.stringContaining('opus'), { type: 'enabled', budgetTokens: 2_000 }],
      ['scripted', { type: 'disabled' }],
      ['scripted', undefined],
    ]);
  });

  it('changes settings of the main agent from the next model request on, or none of them', async () => {
    const client = await createClient(plain);
    const apply = (settings: object) => client.ask({ subtype: 'apply_flag_settings', settings });
    expect(await apply({ model: 'opus', effortLevel: 'high' })).toMatchObject({
      subtype: 'success',
    });
    expect(await apply({ model: 'haiku', permissions: { deny: ['Bash'] } })).toMatchObject({
      error: expect.stringContaining('not "permissions"'),
    });
    expect(await apply({ effortLevel: 'vast' })).toMatchObject({
      error: expect.stringContaining('"effortLevel"'),
    });
    client.say('One.');
    await client.result();
    await apply({ model: null, effortLevel: null });
    client.say('Two.');
    await client.line(isResultNumber(2, client.lines));
    expect(client.requests.map(({ model, effort }) => [model, effort])).toEqual([
      [expect.stringContaining('opus'), 'high'],
      ['scripted', undefined],
    ]);
  });

  it('tells how full the conversation is', async () => {
    const client = await createClient(plain);
    client.say('Go.');
    await client.result();
    const { response } = await client.ask({ subtype: 'get_context_usage' });
    const usage = response as {
      totalTokens: number;
      maxTokens: number;
      categories: { tokens: number }[];
    };
    expect(usage).toMatchObject({ model: expect.any(String), percentage: expect.any(Number) });
    expect(usage.totalTokens).toBeGreaterThan(0);
    expect(usage.categories.map(({ tokens }) => tokens)).toEqual([
      usage.totalTokens,
      usage.maxTokens - usage.totalTokens,
    ]);
  });

  it('stops a task, or sends what is waited for to the background', async () => {
    const client = await createClient(
      playParts({
        main: [{ tools: [bashCall('sleep 600')] }, { text: 'Done.' }],
      }),
    );
    client.say('Go.');
    const { message } = await client.line(({ type }) => type === 'assistant');
    const [use] = (message as { content: { id: string }[] }).content;
    expect(
      await client.ask({ subtype: 'background_tasks', tool_use_id: 'toolu_none' }),
    ).toMatchObject({ response: { backgrounded: false } });
    await expect
      .poll(() => client.ask({ subtype: 'background_tasks', tool_use_id: use?.id }))
      .toMatchObject({ response: { backgrounded: true } });
    await client.result();
    const started = await client.line(({ subtype }) => subtype === 'task_started');
    expect(await client.ask({ subtype: 'stop_task', task_id: started['task_id'] })).toMatchObject({
      subtype: 'success',
    });
    await client.line(({ subtype }) => subtype === 'task_notification');
  });

  it.each([
    [{ subtype: 'stop_task', task_id: 'b00000000' }, 'no task "b00000000"'],
    [{ subtype: 'stop_task' }, '"task_id" is required (a string).'],
    [{ subtype: 'set_model', model: 7 }, '"model" must be a string, not the number 7.'],
    [{ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 10 }, '1024'],
    [{ subtype: 'set_permission_mode', mode: 'anything' }, '"anything"'],
    [{ subtype: 'mcp_message', server_name: 'x', message: {} }, '"x"'],
    [{ subtype: 'register_repo_root' }, '"directory" is required (a string).'],
    [{ subtype: 'register_repo_root', directory: '.' }, 'is not below'],
    [
      { subtype: 'register_repo_root', directory: '.', reload_claude_md: true },
      '"reload_claude_md" is not supported',
    ],
    [{ subtype: 'cancel_async_message' }, 'not supported'],
    [
      { subtype: 'mcp_reconnect', serverName: 'x' },
      'no MCP server "x" in this session. It has none.',
    ],
    [{ subtype: 'mcp_reconnect' }, '"serverName" is required (a string).'],
    [{ subtype: 'mcp_set_servers', servers: { a: 7 } }, '"servers.a" must be'],
    [{ subtype: 'mcp_set_servers', servers: { a: {} } }, '"mcpServers.a.command"'],
    [{ subtype: 'mcp_set_servers', servers: { a: { type: 'ws', url: 'ws://x' } } }, 'WebSocket'],
    [
      { subtype: 'mcp_set_servers', servers: { a: { type: 'sdk', timeout: 'x' } } },
      '"servers.a.timeout"',
    ],
    [{ subtype: 'mcp_set_servers' }, '"servers" is required'],
    [{ subtype: 'mcp_toggle', serverName: 'x', enabled: false }, 'no MCP server "x"'],
    [{ subtype: 'mcp_toggle', serverName: 'x' }, '"enabled" is required'],
    [{ subtype: 'read_file', path: '/etc/passwd' }, 'not supported'],
    [
      { subtype: 'reload_plugins', refuse_if_busy: true },
      '"refuse_if_busy" is not supported in a reload of plugins. Leave it out.',
    ],
    [{ subtype: 'seed_read_state', path: 'x', mtime: 1 }, 'not supported'],
    [{ subtype: 'fly' }, 'Known: initialize, interrupt'],
    [{ subtype: 'constructor' }, 'There is no control request'],
  ])('%j is refused with a reason', async (request, why) => {
    const client = await createClient(plain);
    expect(await client.ask(request)).toMatchObject({
      subtype: 'error',
      error: expect.stringContaining(why),
    });
  });

  it('lists models that set_model takes', async () => {
    const client = await createClient(plain);
    const { response } = await client.ask({ subtype: 'list_models' });
    const { models } = response as { models: { value: string }[] };
    expect(models.length).toBeGreaterThan(0);
    for (const { value } of models)
      expect(await client.ask({ subtype: 'set_model', model: value })).toMatchObject({
        subtype: 'success',
      });
  });
});
