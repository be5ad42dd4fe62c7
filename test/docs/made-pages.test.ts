import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
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
