import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startup } from '../../../src/api/query/startup.js';
import { createSdkMcpServer, tool } from '../../../src/extensions/mcp/servers/sdk-server.js';
import { collect, createQueries, resultOf } from './support.js';

/** A server that counts its connections. */
function createServer() {
  const say = tool('say', 'Says it.', { text: z.string() }, async ({ text }) => ({
    content: [{ type: 'text', text: text.toUpperCase() }],
  }));
  const server = createSdkMcpServer({ name: 'echo', tools: [say] });
  const counts = { connected: 0 };
  const instance = {
    async connect(transport: Parameters<typeof server.instance.connect>[0]) {
      counts.connected += 1;
      await server.instance.connect(transport);
    },
  };
  return { counts, server: { ...server, instance } };
}

async function createWarm(extra: object = {}) {
  const { counts, server } = createServer();
  const { cwd, env, api, told, at } = await createQueries({ handler: () => ({ text: 'Hello.' }) });
  const stderr = (line: string): void => void told.push(line);
  const options = { cwd, env, stderr, mcpServers: { echo: server }, ...extra };
  return { counts, api, told, at, options, start: () => startup({ options }) };
}

describe('startup', () => {
  it('connects the servers before the prompt is known; the query then uses them', async () => {
    const { counts, api, start } = await createWarm();
    await using warm = await start();
    expect(counts).toEqual({ connected: 1 });
    expect(api.requests).toEqual([]);
    const messages = await collect(warm.query('Hi.'));
    expect(messages[0]).toMatchObject({
      tools: expect.arrayContaining(['mcp__echo__say']),
      mcp_servers: [{ name: 'echo', status: 'connected' }],
    });
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'Hello.' });
    expect(counts).toEqual({ connected: 1 });
  });

  it('rejects an invalid option at once, and an invalid prompt when the query begins', async () => {
    await expect(startup({ options: { maxTurns: 0 } })).rejects.toThrow('"maxTurns"');
    await expect(startup({ initializeTimeoutMs: 0 })).rejects.toThrow('initializeTimeoutMs');
    await expect(startup({ prompt: 'Hi.' } as object)).rejects.toThrow('no option "prompt"');
    const { start } = await createWarm();
    const warm = await start();
    await expect(warm.query('').next()).rejects.toThrow('"prompt" is empty');
  });

  it('serves one query, and none after it was closed', async () => {
    const { start } = await createWarm();
    const warm = await start();
    const running = warm.query('Hi.');
    expect(() => warm.query('Hi again.')).toThrow('the query has begun already');
    expect(await resultOf(running)).toMatchObject({ result: 'Hello.' });
    const closed = await start();
    closed.close();
    expect(() => closed.query('Hi.')).toThrow('was closed. Start another.');
  });

  it('ends the servers if the query is closed before it begins', async () => {
    const { start, at } = await createWarm({ mcpServers: { stdio: recording('pid') } });
    const starting = start();
    const warm = await starting;
    const { pid, isAlive } = await processOf(at('pid'));
    expect(isAlive()).toBe(true);
    await warm.query('Hi.').return();
    expect([pid > 0, isAlive()]).toEqual([true, false]);
  });

  it('gives up servers that take too long, and ends them', async () => {
    const { options, at } = await createWarm({
      mcpServers: { slow: { command: 'sh', args: ['-c', 'echo $$ > pid; exec cat > said'] } },
    });
    await expect(startup({ options, initializeTimeoutMs: 300 })).rejects.toThrow(
      'startup: the MCP servers were not connected within 300 ms. Raise initializeTimeoutMs.',
    );
    expect((await processOf(at('pid'))).isAlive()).toBe(false);
  });

  it('ends with an abort before the prompt', async () => {
    const abortController = new AbortController();
    const { start } = await createWarm({ abortController });
    const warm = await start();
    abortController.abort();
    await expect(warm.query('Hi.').next()).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(start()).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

/** A server over stdio that writes its process ID to a file of the folder. */
function recording(name: string) {
  const program = `
    require('node:fs').writeFileSync('${name}', String(process.pid));
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const results = {
        initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
        'tools/list': { tools: [] },
      };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    });`;
  return { command: process.execPath, args: ['-e', program] };
}

async function processOf(file: string) {
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').trim()).toBeTruthy();
  const pid = Number(readFileSync(file, 'utf8'));
  const isAlive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  return { pid, isAlive };
}
