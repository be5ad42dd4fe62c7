import { mkdir, rename, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { pinStartFolder } from '../../../src/processes/start/start-folder.js';
import { createWorkspace } from '../../tools/files/workspace.js';

describe('the folder that a shell starts in', () => {
  it('is in the workspace, under any of its names', async () => {
    const { at, folder } = await createWorkspace({ 'project/src/a': '', 'added/a': '' });
    await symlink(at('project'), at('link'));
    const workspace = [at('link'), at('added'), at('gone')];
    for (const cwd of ['project', 'project/src', 'link/src', 'added'])
      await (await pinStartFolder(at(cwd), workspace)).close();
    await (await pinStartFolder(folder, undefined)).close();
    await expect(pinStartFolder(folder, workspace)).rejects.toMatchObject({
      code: 'SHELL_NOT_STARTED',
    });
  });

  it('is refused if a link leads out of the workspace by now', async () => {
    const { at } = await createWorkspace({ 'outside/a': '' });
    await mkdir(at('project/src'), { recursive: true });
    await rename(at('project/src'), at('project/moved'));
    await symlink(at('outside'), at('project/src'));
    await expect(pinStartFolder(at('project/src'), [at('project')])).rejects.toMatchObject({
      code: 'SHELL_NOT_STARTED',
      message: expect.stringContaining(`now leads to ${at('outside')}`),
    });
  });
});
