import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { countProcesses, uniqueSeconds, until } from '../processes/processes.js';
import { createPlace, type Place } from './support/place.js';
import { COMMAND } from './support/troupe-process.js';

/** Makes the file `made`, unless the agent sees the token of the server. */
const MAKE = 'touch made$TROUPE_SERVE_TOKEN';

/** A script with an agent that makes a file and one that sleeps. */
const scriptOf = (seconds: number): string =>
  JSON.stringify({
    version: 1,
    agents: [
      {
        prompt: '^Make',
        steps: [
          { when: { user: '^Make' }, tools: [{ name: 'Bash', input: { command: MAKE } }] },
          { when: { tool: 'Bash', isError: false }, text: 'Made.' },
          { when: { user: '^Again' }, text: 'Again.' },
        ],
      },
      {
        prompt: '^Sleep',
        steps: [{ tools: [{ name: 'Bash', input: { command: `sleep ${seconds}` } }] }],
      },
    ],
  });
/** The command line has the folder of the place, by which its process is found. */
const serve = (place: Place, ...more: readonly string[]): string[] => [
  'mcp',
  'serve',
  '--model',
  `scripted:${place.at('script.json')}`,
  '--allowedTools',
  'Bash(sleep *)',
  ...more,
];

const environmentOf = (place: Place): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: place.home,
  TROUPE_HOME: place.troupeHome,
  TMPDIR: place.temporary,
});

type Result = {
  readonly id: string;
  readonly status: string;
  readonly waitsFor: readonly string[];
  readonly [field: string]: unknown;
};

async function connect(transport: Transport, isPerson = false) {
  const capabilities = isPerson ? { elicitation: {} } : {};
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const problems: Error[] = [];
  // eslint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has nothing else
  client.onerror = (error) => problems.push(error);
  if (isPerson)
    client.setRequestHandler(ElicitRequestSchema, () => ({
      action: 'accept',
      content: { decision: 'allow' },
    }));
  await client.connect(transport);
  const lines: unknown[] = [];
  const call = async (name: string, args: Record<string, unknown> = {}, more: object = {}) => {
    const onprogress = ({ message }: { message?: string | undefined }): void =>
      void lines.push(message);
    const how = { onprogress, ...more };
    const { structuredContent } = await client.callTool({ name, arguments: args }, undefined, how);
    return structuredContent as Result;
  };
  return { client, call, lines, problems };
}

/** How long a loaded machine may take for a start. */
const LOADED_MS = 40_000;

describe.concurrent('troupe mcp serve', () => {
  it('starts, decides, follows and ends agents over stdio', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const seconds = uniqueSeconds();
    await place.write({ 'script.json': scriptOf(seconds) });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, ...serve(place)],
      cwd: place.cwd,
      env: environmentOf(place),
    });
    const { client, call, lines, problems } = await connect(transport);
    onTestFinished(() => client.close());

    const made = await call('spawn', { prompt: 'Make it.' });
    expect(made).toMatchObject({ status: 'running', waitsFor: [expect.any(String)] });
    const { requests } = (await call('requests')) as unknown as { requests: object[] };
    const actors = [
      expect.stringMatching(/^toolu_/),
      expect.stringMatching(/^amain-/),
      expect.stringMatching(/^s\w{8}$/),
      'orchestrator',
    ];
    expect(requests).toEqual([
      expect.objectContaining({
        id: made.id,
        tool: 'Bash',
        input: { command: MAKE },
        path: actors.map((actor) => expect.objectContaining({ actor }) as object),
      }),
    ]);
    const decision = { requestId: made.waitsFor[0], decision: 'allow' };
    expect(await call('decide', decision)).toEqual({ status: 'accepted' });
    expect(await call('decide', { ...decision, decision: 'deny' })).toEqual({
      status: 'already_decided',
      by: 'MCP client test',
    });
    const output = await call('output', { id: made.id, wait: true });
    expect(output).toMatchObject({ status: 'completed', result: 'Made.', output: 'Made.\n' });
    expect(place.has('made')).toBe(true);
    expect(lines).toEqual([`[main] Bash: ${MAKE}`]);
    const again = await call('send', { id: made.id, text: 'Again.', wait: true });
    expect(again).toMatchObject({ id: made.id, result: 'Again.' });

    const over = new AbortController();
    const sleeping = call('spawn', { prompt: 'Sleep.' }, { signal: over.signal });
    await until('the sleep runs', () => countProcesses(`sleep\0${seconds}`) === 1, LOADED_MS);
    over.abort();
    await expect(sleeping).rejects.toThrow(/abort/i);
    await until('the sleep has ended', () => countProcesses(`sleep\0${seconds}`) === 0);
    const second = await call('spawn', { prompt: 'Sleep.', wait: false });
    await until('the sleep runs', () => countProcesses(`sleep\0${seconds}`) === 1, LOADED_MS);
    expect(await call('kill', { id: second.id })).toMatchObject({
      status: 'killed',
      error: 'killed by the MCP client test',
    });
    expect(countProcesses(`sleep\0${seconds}`)).toBe(0);
    expect(problems).toEqual([]); // every line of stdout is a message of the protocol
  });

  it('ends with all agents when its client is killed', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const seconds = uniqueSeconds();
    await place.write({ 'script.json': scriptOf(seconds) });
    const command = [process.execPath, COMMAND, ...serve(place)];
    const messages = [
      { id: 1, method: 'initialize', params: INITIALIZE },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'spawn', arguments: { prompt: 'Sleep.' } } },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const client = spawn(process.execPath, ['-e', CLIENT, messages.join('\n'), ...command], {
      cwd: place.cwd,
      env: environmentOf(place),
    });
    await until('the sleep runs', () => countProcesses(`sleep\0${seconds}`) === 1, LOADED_MS);
    client.kill('SIGKILL');
    await once(client, 'exit');
    await until('the sleep has ended', () => countProcesses(`sleep\0${seconds}`) === 0);
    await until('the server has ended', () => countProcesses(place.cwd) === 0);
    expect(countProcesses(String(seconds))).toBe(0);
  });

  it('serves clients with the token over HTTP, and ends cleanly', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const seconds = uniqueSeconds();
    const token = 'a-token-of-the-test';
    await place.write({ 'script.json': scriptOf(seconds) });
    const server = place.start(serve(place, '--http'), {
      env: { TROUPE_SERVE_TOKEN: token },
    });
    const address = (): string | undefined => /listening on (\S+)\n/.exec(server.warned)?.[1];
    await until('the server listens', () => address() !== undefined, LOADED_MS);
    const url = new URL(String(address()));
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const open = (): Transport =>
      new StreamableHTTPClientTransport(url, { requestInit }) as Transport; // optional fields, as in the SDK
    const refused = await fetch(url, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(401);
    expect([...refused.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    );

    const person = await connect(open(), true);
    const made = await person.call('spawn', { prompt: 'Make it.' });
    expect(made).toMatchObject({ status: 'completed', result: 'Made.' });
    expect(place.has('made')).toBe(true);
    const other = await connect(open());
    const { agents } = (await other.call('status')) as unknown as { agents: Result[] };
    expect(agents).toMatchObject([{ id: made.id, status: 'completed' }]);

    await other.call('spawn', { prompt: 'Sleep.', wait: false });
    await until('the sleep runs', () => countProcesses(`sleep\0${seconds}`) === 1, LOADED_MS);
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 143, stdout: '' });
    expect(countProcesses(`sleep\0${seconds}`)).toBe(0);
  });

  it('refuses flags that it cannot use', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ open: 'a-token-that-all-may-read', short: 'abc' });
    await chmod(place.at('open'), 0o644);
    await chmod(place.at('short'), 0o600);
    await place.write({ 'script.json': scriptOf(1) });
    const refusal = async (...flags: string[]) => {
      const { code, stderr } = await place.call(serve(place, ...flags));
      return [code, stderr];
    };
    expect(await refusal('--port', '80')).toEqual([2, 'troupe: --port needs --http.\n']);
    expect(await refusal('--http', '--port', 'x')).toEqual([
      2,
      'troupe: --port: "x" is not a port, such as 8808; 0 is a free one.\n',
    ]);
    expect(await refusal('--http', '--token-file', 'open')).toEqual([
      2,
      `troupe: ${place.at('open')}: --token-file: others may read or write this file. Change it: chmod 600.\n`,
    ]);
    expect(await refusal('--http', '--token-file', 'short')).toEqual([
      2,
      'troupe: --token-file: a token is one word of 16 characters or more, such as the output of "openssl rand -hex 32".\n',
    ]);
  });
});

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'killed', version: '1' },
};

/** A client in JavaScript: it starts the command of its arguments, sends the messages, and does nothing more. */
const CLIENT = `
const [messages, program, ...args] = process.argv.slice(1);
const server = require('node:child_process').spawn(program, args);
server.stdin.write(messages + '\\n');
`;
