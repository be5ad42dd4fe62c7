import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { getAllBaseTools } from '../../src/tools/pool/base-tools.js';
import { root } from './pages.js';

it.each([
  ['docs/inside/machines.md', 'scripts/draw-machines.mjs'],
  ['docs/reference/', 'scripts/write-reference.mjs'],
])('%s is as the source says', (_, script) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('each built-in tool has a page, and each page a tool', () => {
  const there = readdirSync(new URL('../../docs/reference/tools/', import.meta.url));
  expect(there.toSorted()).toEqual(
    getAllBaseTools()
      .map(({ name }) => `${name}.md`)
      .toSorted(),
  );
});
