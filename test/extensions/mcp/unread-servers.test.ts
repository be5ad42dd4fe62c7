import { describe, expect, it } from 'vitest';
import { findUnreadServers } from '../../../src/extensions/mcp/unread-servers.js';
import { createFiles } from '../../support/files.js';

const server = { command: 'server' };

describe('the servers of ~/.claude.json', () => {
  it('are those for all folders, and those for this one', async () => {
    const file = {
      mcpServers: { files: server, web: { type: 'http', url: 'https://x' } },
      projects: {
        '/work': { mcpServers: { issues: server } },
        '/else': { mcpServers: { x: server } },
      },
    };
    const home = await createFiles({ '.claude.json': JSON.stringify(file) });
    expect(await findUnreadServers({ cwd: '/work', env: { HOME: home } })).toEqual({
      file: `${home}/.claude.json`,
      forAll: ['files', 'web'],
      forFolder: ['issues'],
    });
    const env = { HOME: '/nowhere', CLAUDE_CONFIG_DIR: home };
    expect(await findUnreadServers({ cwd: '/', env })).toMatchObject({ forFolder: [] });
  });

  it.each([
    '{}',
    '{ not JSON',
    '[]',
    '{"mcpServers": 3, "projects": {"/work": null}}',
    '{"projects": {"/work": {"mcpServers": []}}}',
  ])('are none in %s', async (text) => {
    const home = await createFiles({ '.claude.json': text });
    expect(await findUnreadServers({ cwd: '/work', env: { HOME: home } })).toBeUndefined();
  });

  it('are none without the file', async () => {
    const home = await createFiles({});
    expect(await findUnreadServers({ cwd: '/work', env: { HOME: home } })).toBeUndefined();
  });
});
