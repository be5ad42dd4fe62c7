import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ASKING } from '../support/mcp/ask-back.js';
import { fixture } from '../support/mcp/servers.js';
import type { ToolCall } from '../support/mcp/tool-server.js';
import { createHttpServer, serveTools, serveToolsOverSse } from '../support/mcp/http-server.js';
import { until } from '../processes/processes.js';
import { answer, results, textOf } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';
import { CLIENT, answered, control, isResult, say } from './support/stream-client.js';

const ECHO = [
  { tools: [{ name: 'mcp__f__echo', input: { text: 'from the server' } }] },
  { text: 'Done.' },
];
const ALLOWED = ['--allowedTools', 'mcp__f'];

const configOf = (place: Place, flags: readonly string[] = []): string =>
  JSON.stringify({ mcpServers: { f: fixture(flags, { env: { TRACE: place.at('trace') } }) } });

const pidsIn = (place: Place): readonly number[] =>
  existsSync(place.at('trace'))
    ? [...readFileSync(place.at('trace'), 'utf8').matchAll(/started (\d+)/g)].map(([, pid]) =>
        Number(pid),
      )
    : [];
const living = (place: Place) => pidsIn(place).filter((pid) => existsSync(`/proc/${pid}/stat`));

describe('--mcp-config', { timeout: 30_000 }, () => {
  it.each(['text', 'file'])('starts servers from a %s and ends them', async (form) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'servers.json': configOf(place) });
    const api = await place.api({ handler: answer({ 'Say it.': ECHO }) });
    const value = form === 'text' ? configOf(place) : 'servers.json';
    const format = ['--output-format', 'stream-json', '--verbose'];
    const args = ['-p', 'Say it.', '--mcp-config', value, ...format, ...ALLOWED];
    const { code, stdout, stderr } = await place.call(args, { api });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const init = JSON.parse(stdout.split('\n', 1)[0] as string) as Record<string, unknown>;
    expect(init['mcp_servers']).toEqual([{ name: 'f', status: 'connected' }]);
    expect(init['tools']).toContain('mcp__f__echo');
    expect(results(api.requests.at(-1)).map(({ content }) => textOf(content))).toEqual([
      'from the server',
    ]);
    expect([pidsIn(place).length, living(place)]).toEqual([1, []]);
  });

  it('sends a prompt of a server with a resource that it names, and the instructions of the server', async () => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => ({ text: 'Hello.' }) });
    const servers = JSON.stringify({ mcpServers: { asking: ASKING } });
    const line = '/mcp__asking__greet @asking:note://1 warmly';
    const { stdout, stderr } = await place.call(['-p', line, '--mcp-config', servers], { api });
    expect({ stdout, stderr }).toEqual({ stdout: 'Hello.\n', stderr: '' });
    const sent = JSON.stringify(api.requests[0]?.body);
    expect(sent).toContain('Greet @asking:note://1 warmly.');
    expect(sent).toContain('Buy milk.');
    expect(sent).toContain('Ask first.');
  });

  it('starts a server again in the environment that the settings name at present', async () => {
    const place = await createPlace(onTestFinished);
    const settings = '../home/.claude/settings.json';
    const setTo = (value: string) => place.write({ [settings]: `{"env": {"SET": "${value}"}}` });
    await setTo('before');
    const ask = [
      { tools: [{ name: 'mcp__f__environment', input: { name: 'SET' } }] },
      { text: 'Done.' },
    ];
    const api = await place.api({ replies: [...ask, ...ask] });
    const flags = [...CLIENT, '--mcp-config', configOf(place), ...ALLOWED];
    const troupe = place.start(flags, { api, input: 'open' });
    troupe.send(say('one'));
    await troupe.line('the first answer', isResult);
    await setTo('after');
    troupe.send(say('/reload-plugins'));
    await troupe.line('the reload', (line) => line['num_turns'] === 0);
    troupe.send(control('again', { subtype: 'mcp_reconnect', serverName: 'f' }));
    await answered(troupe, 'again');
    troupe.send(say('two'));
    troupe.endInput();
    await troupe.ended;
    const sent = api.requests.map((request) =>
      results(request).map(({ content }) => textOf(content)),
    );
    expect(sent).toEqual([[], ['before'], [], ['after']]);
  });

  it('says which server failed, and continues', async () => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: answer({ 'Say it.': [{ text: 'Hello.' }] }) });
    const args = ['-p', 'Say it.', '--mcp-config', configOf(place, ['--broken'])];
    expect(await place.call(args, { api })).toMatchObject({
      code: 0,
      stdout: 'Hello.\n',
      stderr:
        'troupe: The MCP server "f" is not connected: it ended (exit code 3), and wrote: no database\n',
    });
  });

  it('reports a rule for a tool that the server does not have', async () => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: answer({ 'Say it.': [{ text: 'Hello.' }] }) });
    const args = ['-p', 'Say it.', '--mcp-config', configOf(place)];
    expect(await place.call([...args, '--allowedTools', 'mcp__f__ehco'], { api })).toMatchObject({
      code: 0,
      stderr:
        'troupe: The rule mcp__f__ehco (the command line) allows nothing: the MCP server "f" has no tool "ehco". Did you mean mcp__f__echo?\n',
    });
  });

  it.each([
    ['{"mcpServers": 1}', '--mcp-config:1:16: Write the servers in an object "mcpServers"'],
    ['absent.json', 'absent.json: MCP servers cannot be read: there is no such file or folder.'],
    [
      '{"mcpServers": {"a": {}}}',
      '--mcp-config:1:22: "mcpServers.a.command" is required: it must be the program to start',
    ],
  ])('refuses %s', async (value, message) => {
    const place = await createPlace(onTestFinished);
    const { code, stderr } = await place.call(['-p', 'x', '--mcp-config', value]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('leaves no server behind when the command is killed', async () => {
    const place = await createPlace(onTestFinished);
    const slow = [{ tools: [{ name: 'mcp__f__slow', input: {} }] }];
    const api = await place.api({ handler: answer({ 'Say it.': slow }) });
    const args = ['-p', 'Say it.', '--mcp-config', configOf(place, ['--stubborn']), ...ALLOWED];
    const troupe = place.start(args, { api });
    await until('the call runs', () => place.has('trace') && traceOf(place).includes('slow began'));
    expect(living(place)).toHaveLength(1);
    troupe.kill('SIGKILL');
    await until('the server is gone', () => living(place).length === 0, 3_000);
  });
});

describe('.mcp.json', { timeout: 30_000 }, () => {
  it.each([
    ['http', serveTools],
    ['sse', serveToolsOverSse],
  ] as const)('names servers at an address, of type %s', async (type, serve) => {
    const place = await createPlace(onTestFinished);
    const http = await createHttpServer();
    onTestFinished(() => http.close());
    const whoami = ({ headers }: ToolCall): string => String(headers['authorization']);
    const url = serve(http, '/mcp', { tools: { whoami } });
    const headers = { Authorization: 'Bearer ${TOKEN:-none}' };
    await place.write({
      '.mcp.json': JSON.stringify({ mcpServers: { f: { type, url, headers } } }),
    });
    const script = [{ tools: [{ name: 'mcp__f__whoami', input: {} }] }, { text: 'Done.' }];
    const api = await place.api({ handler: answer({ 'Say it.': script }) });
    const approved = ['--settings', '{"enabledMcpjsonServers": ["f"]}', ...ALLOWED];
    const run = place.call(['-p', 'Say it.', ...approved], { api, env: { TOKEN: 't' } });
    expect(await run).toMatchObject({ code: 0, stdout: 'Done.\n', stderr: '' });
    expect(results(api.requests.at(-1)).map(({ content }) => textOf(content))).toEqual([
      'Bearer t',
    ]);
  });

  const WAITS = /These MCP servers of .*\.mcp\.json need your approval: f\./;

  it.each([
    ['waits for leave', [], 0, WAITS],
    ['starts if it is named', ['--mcp-config', '.mcp.json'], 1, /^$/],
    ['starts by a setting', ['--settings', '{"enabledMcpjsonServers": ["f"]}'], 1, /^$/],
    ['starts with all', ['--settings', '{"enableAllProjectMcpServers": true}'], 1, /^$/],
    [
      'stays away by a setting',
      ['--settings', '{"enableAllProjectMcpServers": true, "disabledMcpjsonServers": ["f"]}'],
      0,
      /^$/,
    ],
    ['is not read', ['--strict-mcp-config'], 0, /^$/],
  ])('%s', async (_name, flags, started, said) => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.mcp.json': configOf(place) });
    const api = await place.api({ handler: answer({ 'Say it.': [{ text: 'Hello.' }] }) });
    const { code, stderr } = await place.call(['-p', 'Say it.', ...flags], { api });
    expect({ code, started: pidsIn(place).length }).toEqual({ code: 0, started });
    expect(stderr).toMatch(said);
  });

  it('is not enabled by the project itself, trusted or not', async () => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.mcp.json': configOf(place),
      '.claude/settings.json': '{"enableAllProjectMcpServers": true}',
    });
    const api = await place.api({ handler: answer({ 'Say it.': [{ text: 'Hello.' }] }) });
    const { stderr } = await place.call(['-p', 'Say it.', '--trust'], { api });
    expect(stderr).toMatch(WAITS);
    expect(pidsIn(place)).toEqual([]);
  });

  it('is left out with a warning if it is broken', async () => {
    const place = await createPlace(onTestFinished);
    await place.write({ '.mcp.json': '{"mcpServers":\n 1}' });
    const api = await place.api({ handler: answer({ 'Say it.': [{ text: 'Hello.' }] }) });
    const { code, stderr } = await place.call(['-p', 'Say it.'], { api });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('.mcp.json:2:2: Write the servers in an object "mcpServers"'),
    });
  });
});

function traceOf(place: Place): string {
  return readFileSync(place.at('trace'), 'utf8');
}
