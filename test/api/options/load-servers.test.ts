import { describe, expect, it } from 'vitest';
import { loadServers } from '../../../src/api/options/load-servers.js';
import type { SettingSource } from '../../../src/settings/files/settings-files.js';
import { createFiles } from '../../support/files.js';

/** A home and a project that both name servers; the command of each says where it is from. */
async function createLayers(more: Readonly<Record<string, string>> = {}) {
  const folder = await createFiles({
    'work/.mcp.json': fileOf('project', ['a', 'b', 'c']),
    'managed/settings.json': '{}',
    ...more,
  });
  const cwd = `${folder}/work`;
  const { writeFile } = await import('node:fs/promises');
  const local = { mcpServers: serversOf('local', ['b']), enabledMcpjsonServers: ['a', 'b', 'c'] };
  await writeFile(
    `${folder}/.claude.json`,
    JSON.stringify({
      mcpServers: serversOf('user', ['a', 'd', 'e e']),
      projects: { [cwd]: local },
    }),
  );
  const env = { HOME: folder, TROUPE_MANAGED_SETTINGS: `${folder}/managed/settings.json` };
  const load = (choices: {
    readonly sources?: readonly SettingSource[];
    readonly given?: string;
  }) =>
    loadServers(
      {
        mcpConfigs: choices.given === undefined ? [] : [choices.given],
        mcpOption: '--mcp-config',
        usesOnlyGivenServers: false,
        isTrusted: () => false,
      },
      choices.sources,
      { cwd, env, layers: [] },
    );
  return { folder, load };
}

const serversOf = (command: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { command: `\${LAYER:-${command}}` }]));
const fileOf = (command: string, names: readonly string[]) =>
  JSON.stringify({ mcpServers: serversOf(command, names) });
const origins = ({ servers }: Awaited<ReturnType<typeof loadServers>>) =>
  Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [name, 'command' in server && server.command]),
  );

describe('of two servers with one name', () => {
  it('the given one counts, then that of the user for this folder, of the project, of the user', async () => {
    const { folder, load } = await createLayers();
    const loaded = await load({ given: fileOf('given', ['c', 'e.e']) });
    expect(origins(loaded)).toEqual({
      c: 'given',
      'e.e': 'given',
      b: 'local',
      a: 'project',
      d: 'user',
    });
    expect(loaded.warnings).toEqual([
      `${folder}/.claude.json: the servers "e.e" and "e e" would both be "e_e" in names of tools. Rename one. The MCP server "e e" is left out.`,
    ]);
  });

  it('only those of the sources that are read count', async () => {
    const { load } = await createLayers();
    expect(origins(await load({ sources: ['user'] }))).toEqual({
      a: 'user',
      d: 'user',
      'e e': 'user',
    });
    expect(origins(await load({ sources: [] }))).toEqual({});
  });

  it('those of the administrator are the only ones', async () => {
    const { folder, load } = await createLayers({
      'managed/managed-mcp.json': fileOf('managed', ['m']),
    });
    const loaded = await load({ given: fileOf('given', ['c']) });
    expect(origins(loaded)).toEqual({ m: 'managed' });
    expect(loaded.warnings).toEqual([
      `These MCP servers are left out: c. ${folder}/managed/managed-mcp.json names all that may be used.`,
    ]);
  });

  it('no server starts if the file of the administrator cannot be used', async () => {
    const { load } = await createLayers({ 'managed/managed-mcp.json': '{' });
    await expect(load({})).rejects.toThrow(/managed-mcp\.json:1:2: This is not JSON/);
  });
});
