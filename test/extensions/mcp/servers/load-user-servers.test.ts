import { describe, expect, it } from 'vitest';
import { loadUserServers } from '../../../../src/extensions/mcp/servers/load-user-servers.js';
import { createFiles } from '../../../support/files.js';

const server = { command: 'server' };

describe('the servers of ~/.claude.json', () => {
  it('are those for all folders, and those for this one', async () => {
    const web = { type: 'http', url: 'https://${HOST}' };
    const file = {
      history: ['kept'],
      mcpServers: { files: server, web, off: server },
      projects: {
        '/work': {
          mcpServers: { issues: server },
          disabledMcpServers: ['off'],
          enabledMcpjsonServers: ['a'],
          disabledMcpjsonServers: ['b'],
        },
        '/else': { mcpServers: { x: server } },
      },
    };
    const home = await createFiles({ '.claude.json': JSON.stringify(file) });
    expect(loadUserServers({ cwd: '/work', env: { HOME: home, HOST: 'x' } })).toEqual({
      file: `${home}/.claude.json`,
      user: { servers: { files: server, web: { type: 'http', url: 'https://x' } }, warnings: [] },
      local: { servers: { issues: server }, warnings: [] },
      enabled: ['a'],
      disabled: ['b'],
      off: ['off'],
      warnings: [],
    });
    const env = { HOME: '/nowhere', CLAUDE_CONFIG_DIR: home, HOST: 'x' };
    expect(Object.keys(loadUserServers({ cwd: '/', env }).user.servers)).toEqual([
      'files',
      'web',
      'off',
    ]);
  });

  it('are those that can be used: the others are named with place and field', async () => {
    const home = await createFiles({
      '.claude.json': '{"mcpServers":\n{"a": {"type": "http"}, "b": {"command": "x"}}}',
    });
    const { file, user } = loadUserServers({ cwd: '/work', env: { HOME: home } });
    expect(user).toEqual({
      servers: { b: { command: 'x' } },
      warnings: [
        `${file}:2:7: "mcpServers.a.url" is required: it must be the address of the server. The MCP server "a" is left out.`,
      ],
    });
  });

  it.each([
    '{}',
    '[]',
    '{"mcpServers": 3, "projects": {"/work": null}}',
    '{"projects": {"/work": {"mcpServers": []}}}',
  ])('are empty in %s', async (text) => {
    const home = await createFiles({ '.claude.json': text });
    const loaded = loadUserServers({ cwd: '/work', env: { HOME: home } });
    expect([loaded.user, loaded.local, loaded.warnings]).toEqual([
      { servers: {}, warnings: [] },
      { servers: {}, warnings: [] },
      [],
    ]);
  });

  it('are left out with a warning if the file is not JSON', async () => {
    const home = await createFiles({ '.claude.json': '{ not JSON' });
    expect(loadUserServers({ cwd: '/work', env: { HOME: home } }).warnings).toEqual([
      expect.stringMatching(
        /\.claude\.json:1:3: This is not JSON: .* The MCP servers of this file are left out\.$/,
      ),
    ]);
  });

  it('are empty without the file', async () => {
    const home = await createFiles({});
    expect(loadUserServers({ cwd: '/work', env: { HOME: home } }).user.servers).toEqual({});
  });
});
