import { mkdir, rename, symlink } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { replaceFile } from '../../../src/tools/files/replace-file.js';
import { createWorkspace } from '../workspace.js';

it('moves nothing into a folder that has become a link meanwhile', async () => {
  const { at, list } = await createWorkspace({ 'outside/a': '' });
  await mkdir(at('inside'));
  await rename(at('inside'), at('moved'));
  await symlink(at('outside'), at('inside'));
  const before = await list();
  const { signal } = new AbortController();
  await expect(
    replaceFile(at('inside/new.txt'), Buffer.from('x'), undefined, signal),
  ).rejects.toMatchObject({ code: 'FILE_NOT_APPROVED' });
  expect(await list()).toEqual(before);
});
