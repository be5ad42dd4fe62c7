import { execFileSync } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findMainWorkTree } from '../../src/files/main-work-tree.js';
import { createFiles } from '../support/files.js';

it('finds the main work tree of a repository that knows the folder', async () => {
  const folder = await createFiles({
    'main/sub/a': '',
    'none/a': '',
    'module/.git': 'gitdir: ../x',
  });
  const at = (name: string): string => join(folder, name);
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: at('main'),
      stdio: 'ignore',
    });
  git('init');
  git('commit', '--allow-empty', '--message', 'x');
  git('worktree', 'add', at('other'));
  await mkdir(at('stranger'));
  await copyFile(at('other/.git'), at('stranger/.git'));
  await mkdir(at('other/sub'));
  const found = ['main/sub', 'other/sub', 'stranger', 'module'].map((name) =>
    findMainWorkTree(at(name))?.slice(folder.length + 1),
  );
  expect(found).toEqual(['main', 'main', 'stranger', 'module']);
  expect(findMainWorkTree('/')).toBe(undefined);
});
