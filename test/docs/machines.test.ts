import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from './pages.js';

it('docs/inside/machines.md shows the machines as they are', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/draw-machines.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
