import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withReadServers } from '../../../src/extensions/agents/agent-servers.js';
import { loadAgents } from '../../../src/extensions/agents/load-agents.js';
import { createFiles } from '../../support/files.js';

const AGENT = `---
name: a
description: d
mcpServers:
  - github
  - db: { command: db-server, args: ['\${PORT:-5432}'] }
---
P`;

it('servers that an agent of a project describes need trust', async () => {
  const folder = await createFiles({ 'p/.git/HEAD': '', 'p/.claude/agents/a.md': AGENT });
  const load = async (isTrusted: boolean) => {
    const place = { cwd: join(folder, 'p'), env: { HOME: join(folder, 'h') } };
    const { agents, warnings } = await loadAgents({ ...place, isTrusted: () => isTrusted });
    return { servers: agents.map(({ mcpServers }) => mcpServers), warnings };
  };
  const db = { command: 'db-server', args: ['${PORT:-5432}'] };
  expect(await load(true)).toEqual({ servers: [['github', { db }]], warnings: [] });
  expect(await load(false)).toEqual({
    servers: [['github']],
    warnings: [
      `${join(folder, 'p/.claude/agents/a.md')}: this folder is not trusted, so the MCP servers of the agent do not start. To apply them: troupe trust, or --trust for one run.`,
    ],
  });
});

it('variables of servers are replaced, and invalid servers are left out', () => {
  const servers = { db: { command: 'db-server', args: ['${PORT:-5432}'] }, bad: { args: [] } };
  const agents = [{ name: 'a', mcpServers: ['github', servers] }, { name: 'b' }];
  expect(withReadServers(agents, ({ name }) => `the agent "${name}"`, {})).toEqual({
    agents: [
      { name: 'a', mcpServers: ['github', { db: { command: 'db-server', args: ['5432'] } }] },
      { name: 'b' },
    ],
    warnings: [expect.stringMatching(/^the agent "a".*"mcpServers\.bad\.command"/)],
  });
});

it('no agent brings a server if an administrator names the servers of the machine', async () => {
  const folder = await createFiles({ 'managed-mcp.json': '{"mcpServers": {}}', 'm.json': '{}' });
  const env = { TROUPE_MANAGED_SETTINGS: join(folder, 'm.json') };
  const agents = [{ name: 'a', mcpServers: ['github', { db: { command: 'x' } }] }];
  expect(withReadServers(agents, () => 'here', env)).toEqual({
    agents: [{ name: 'a', mcpServers: ['github'] }],
    warnings: [
      `here: these MCP servers are left out: db. ${join(folder, 'managed-mcp.json')} names all that may be used.`,
    ],
  });
});
