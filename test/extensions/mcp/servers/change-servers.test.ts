import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addServer } from '../../../../src/extensions/mcp/servers/change-servers.js';

it('keeps the tabs and the line ends of the file that a server is added to', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'change-servers-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const file = join(cwd, '.mcp.json');
  writeFileSync(file, '{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n');
  await addServer('b', {}, 'project', { cwd, env: { HOME: cwd } });
  expect(readFileSync(file, 'utf8')).toBe(
    '{\r\n\t"mcpServers": {\r\n\t\t"a": {},\r\n\t\t"b": {}\r\n\t}\r\n}\r\n',
  );
});
