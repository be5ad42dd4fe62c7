import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadProjectServers } from '../../../src/extensions/mcp/load-project-servers.js';

it('takes what a sandbox holds closed for no file of the project', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'project-servers-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const file = join(cwd, '.mcp.json');
  const load = () => loadProjectServers({ cwd, env: {}, layers: [], known: [] });
  writeFileSync(file, '');
  expect(await load()).toEqual({
    servers: {},
    warnings: [expect.stringContaining(`${file}:1:1: This is not JSON`)],
  });
  chmodSync(file, 0o1444);
  expect(await load()).toEqual({ servers: {}, warnings: [] });
});
