import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpServer, serveTools } from '../support/mcp/http-server.js';
import { fixture } from '../support/mcp/servers.js';
import { createPlace, type Place } from './support/place.js';

const userFile = (place: Place): string => `${place.home}/.claude.json`;
const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

describe('troupe mcp', { timeout: 30_000 }, () => {
  it('adds, shows and removes servers, and leaves the rest of a file as it is', async () => {
    const place = await createPlace(onTestFinished);
    const before = '{\n  // mine\n  "history": ["a"],\n  "mcpServers": {}\n}\n';
    await place.write({ '../home/.claude.json': before });
    const mcp = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await place.call(['mcp', ...args]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };
    await mcp(
      'add',
      '-s',
      'user',
      'files',
      '-e',
      'A=1',
      'B=2',
      '--',
      'npx',
      '-y',
      'files',
      '--all',
    );
    await mcp('add', '--transport', 'sse', 'feed', 'https://x/sse', '--header', 'X-Key: ${KEY}');
    await mcp('add', 'issues', 'https://x/mcp', '--scope', 'project');
    await mcp('add-json', 'notes', '{"command": "notes", "alwaysLoad": true}');
    const text = await readFile(userFile(place), 'utf8');
    expect(text).toContain('// mine');
    expect(JSON.parse(text.replace('// mine', ''))).toEqual({
      history: ['a'],
      mcpServers: {
        files: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'files', '--all'],
          env: { A: '1', B: '2' },
        },
      },
      projects: {
        [place.cwd]: {
          mcpServers: {
            feed: { type: 'sse', url: 'https://x/sse', headers: { 'X-Key': '${KEY}' } },
            notes: { command: 'notes', alwaysLoad: true },
          },
        },
      },
    });
    expect(await readJson(place.at('.mcp.json'))).toEqual({
      mcpServers: { issues: { type: 'http', url: 'https://x/mcp' } },
    });
    expect((await stat(place.at('.mcp.json'))).mode & 0o777).toBe(0o644);
    expect(await mcp('get', 'issues', '--json')).toBe(
      `${JSON.stringify({
        scope: 'project',
        file: place.at('.mcp.json'),
        server: { type: 'http', url: 'https://x/mcp' },
      })}\n`,
    );
    for (const name of ['files', 'feed', 'notes', 'issues']) await mcp('remove', name);
    expect(await readJson(place.at('.mcp.json'))).toEqual({ mcpServers: {} });
  });

  it.each([
    [['add', 'a', 'https://x', 'more'], 'An address takes no arguments: "more".'],
    [['add', 'a', 'x', '--header', 'A: b'], '--header: a program has no headers: give --env.'],
    [['add', 'a', 'x', '--transport', 'http'], '"url": write an address that begins with http://'],
    [['add', 'a__b', 'x'], '"a__b" is not a valid name of a server'],
    [['add', 'a', 'https://x', '-H', 'secret'], '--header: write NAME: VALUE'],
    [['add-json', 'a', '{'], 'The server is not JSON'],
    [['add-json', 'a', '{}'], '"command" is required'],
    [['remove', 'a'], 'There is no MCP server "a". See troupe mcp list.'],
    [['get', 'a'], 'There is no MCP server "a". See troupe mcp list.'],
  ])('refuses %j, and writes nothing', async (args, message) => {
    const place = await createPlace(onTestFinished);
    const { code, stderr } = await place.call(['mcp', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(place.has('../home/.claude.json')).toBe(false);
  });

  it('refuses a name that is taken, and a removal that could mean several files', async () => {
    const place = await createPlace(onTestFinished);
    await place.call(['mcp', 'add', 'a', 'x']);
    expect((await place.call(['mcp', 'add', 'a', 'y'])).stderr).toContain(
      'There is an MCP server "a" already. To replace it: troupe mcp remove a --scope local',
    );
    await place.call(['mcp', 'add', 'a', 'y', '--scope', 'user']);
    expect((await place.call(['mcp', 'remove', 'a'])).stderr).toContain(
      'Several files have the MCP server "a": give --scope, local and user.',
    );
  });

  it('lists every server, and whether it connects', async () => {
    const place = await createPlace(onTestFinished);
    const http = await createHttpServer();
    onTestFinished(() => http.close());
    const url = serveTools(http, '/mcp', { tools: { one: () => '' } });
    await place.write({
      '.mcp.json': JSON.stringify({
        mcpServers: { waits: { command: 'x' }, off: { command: 'x' } },
      }),
      '../home/.claude.json': JSON.stringify({
        mcpServers: { remote: { url }, broken: fixture(['--broken']), mine: { command: 'x' } },
        projects: {
          [place.cwd]: { disabledMcpServers: ['mine'], disabledMcpjsonServers: ['off'] },
        },
      }),
    });
    const { code, stdout } = await place.call(['mcp', 'list', '--json']);
    const listed = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(listed.map((line) => JSON.parse(line) as unknown)).toEqual([
      { name: 'remote', place: url, status: 'connected', tools: 1 },
      {
        name: 'broken',
        place: expect.stringContaining('--broken'),
        status: 'failed',
        problem: expect.stringContaining('it ended (exit code 3)'),
      },
      { name: 'waits', status: 'needs-approval' },
      { name: 'off', status: 'disabled' },
      { name: 'mine', status: 'disabled' },
    ]);
  });

  it('forgets the choices about the servers of the project', async () => {
    const place = await createPlace(onTestFinished);
    const project = { enabledMcpjsonServers: ['a'], disabledMcpjsonServers: [], kept: 1 };
    await place.write({
      '../home/.claude.json': JSON.stringify({ projects: { [place.cwd]: project } }),
    });
    expect((await place.call(['mcp', 'reset-project-choices'])).code).toBe(0);
    expect(await readJson(userFile(place))).toEqual({ projects: { [place.cwd]: { kept: 1 } } });
  });
});
