import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadProjectServers } from '../../../../src/extensions/mcp/servers/load-project-servers.js';

/** A `.mcp.json` as somebody may have planted it, read as if the user had enabled all servers or none. */
async function loadPlanted(plant: (file: string) => void, servers?: object) {
  const cwd = mkdtempSync(join(tmpdir(), 'project-servers-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const file = join(cwd, '.mcp.json');
  if (servers !== undefined) writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  plant(file);
  const { servers: found, warnings } = await loadProjectServers({
    cwd,
    env: {},
    layers: [],
    known: [],
    isTrusted: () => false,
  });
  return { file, servers: found, warnings };
}

it.each<readonly [what: string, plant: (file: string) => void, why: string]>([
  ['a pipe', (file) => void execFileSync('mkfifo', [file]), 'it is not a regular file'],
  [
    'an endless file',
    (file) => symlinkSync('/dev/zero', file),
    'it is a link that leads out of the project',
  ],
  [
    'a link out of the project',
    (file) => symlinkSync('/etc/passwd', file),
    'it is a link that leads out of the project',
  ],
  [
    'a file of 1.5 GB',
    (file) => {
      writeFileSync(file, '');
      truncateSync(file, 1_500_000_000);
    },
    'it has more than 1 MB',
  ],
])('leaves out the servers of %s', async (_, plant, why) => {
  const { file, servers, warnings } = await loadPlanted(plant);
  expect({ servers, warnings }).toEqual({
    servers: {},
    warnings: [`${file}: the MCP servers are left out: ${why}.`],
  });
});

it('reports servers that are not supported, also if there are no others', async () => {
  const { file, servers, warnings } = await loadPlanted(() => {}, {
    remote: { type: 'ws', url: 'wss://x' },
  });
  expect({ servers, warnings }).toEqual({
    servers: {},
    warnings: [
      expect.stringContaining(
        `${file}: the MCP server "remote" is left out: WebSocket is not supported. `,
      ),
    ],
  });
});

it('takes what a sandbox holds closed for no file of the project', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'project-servers-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const file = join(cwd, '.mcp.json');
  const load = () =>
    loadProjectServers({ cwd, env: {}, layers: [], known: [], isTrusted: () => false });
  writeFileSync(file, '');
  expect(await load()).toEqual({
    file,
    servers: {},
    warnings: [expect.stringContaining(`${file}:1:1: This is not JSON`)],
  });
  chmodSync(file, 0o1444);
  expect(await load()).toEqual({ file, names: [], servers: {}, warnings: [] });
});

it.each([true, false])(
  'runs a headersHelper of the project in a trusted folder only: %j',
  async (isTrusted) => {
    const cwd = mkdtempSync(join(tmpdir(), 'project-servers-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    const file = join(cwd, '.mcp.json');
    const remote = { type: 'http', url: 'https://x/mcp' };
    const helped = { ...remote, headersHelper: 'print-headers' };
    writeFileSync(file, JSON.stringify({ mcpServers: { remote, helped } }));
    const settings = { enableAllProjectMcpServers: true };
    const layers = [{ source: 'userSettings' as const, file: 'settings.json', settings }];
    const loaded = await loadProjectServers({
      cwd,
      env: {},
      layers: layers as unknown as Parameters<typeof loadProjectServers>[0]['layers'],
      known: [],
      isTrusted: () => isTrusted,
    });
    expect(loaded).toEqual({
      file,
      names: ['remote', 'helped'],
      disabled: [],
      servers: isTrusted ? { remote, helped } : { remote },
      warnings: isTrusted
        ? []
        : [
            `${file}: the MCP server "helped" is left out: its "headersHelper" runs only in a trusted folder. Run troupe trust here first.`,
          ],
    });
  },
);

it('leaves one server out that is invalid, with its place and field, and takes the others', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'project-servers-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const file = join(cwd, '.mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { a: { command: 'x' }, b: { args: [] } } }));
  const own = { enabled: ['a', 'b'], disabled: [] };
  const loading = loadProjectServers({
    cwd,
    env: {},
    layers: [],
    known: [],
    own,
    isTrusted: () => false,
  });
  return expect(loading).resolves.toEqual({
    file,
    names: ['a'],
    disabled: [],
    servers: { a: { command: 'x' } },
    warnings: [
      `${file}:1:40: "mcpServers.b.command" is required: it must be the program to start. The MCP server "b" is left out.`,
    ],
  });
});
