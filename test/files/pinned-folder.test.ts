import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ReadTool } from '../../src/tools/files/read.js';
import { WriteTool } from '../../src/tools/files/write.js';
import { GrepTool } from '../../src/tools/files/grep.js';
import { openRegularFile } from '../../src/tools/files/access/known-file.js';
import { pinFolder } from '../../src/files/pinned-folder.js';
import { createWorkspace, runText } from '../tools/files/workspace.js';
import { createContext } from '../support/tool-context.js';

const notApproved = { code: 'FILE_NOT_APPROVED' };
const isLinux = process.platform === 'linux';

/** `inside` held open, then moved away and a link to `outside` put in its place. */
async function pinAndSwap() {
  const workspace = await createWorkspace({ 'inside/a': 'inside', 'outside/a': 'outside' });
  const { at } = workspace;
  const pinned = await pinFolder(at('inside'), 'write');
  await rename(at('inside'), at('moved'));
  await symlink(at('outside'), at('inside'));
  return { ...workspace, pinned };
}

describe.runIf(isLinux)('a folder held open', () => {
  it('stays the folder that it was, whatever is linked to its place', async () => {
    const { at, pinned } = await pinAndSwap();
    expect(await readFile(pinned.at('a'), 'utf8')).toBe('inside');
    await writeFile(pinned.at('new'), 'new');
    await expect(pinned.enter('below')).rejects.toMatchObject(notApproved);
    await pinned.close();
    expect(await readdir(at('outside'))).toEqual(['a']);
    expect(await readdir(at('moved'))).toEqual(['a', 'new']);
  });

  it('makes what is missing below it', async () => {
    const { folder, list } = await createWorkspace();
    const pinned = await pinFolder(folder, 'write');
    const below = await pinned.enter('below');
    await writeFile(below.at('a'), 'a');
    await below.close();
    await pinned.close();
    expect(Object.keys(await list())).toEqual(['below', 'below/a']);
  });
});

describe('pinFolder', () => {
  it('tells when its path leads elsewhere', async () => {
    const { pinned } = await pinAndSwap();
    expect(() => pinned.check()).toThrow(expect.objectContaining(notApproved));
    await pinned.close();
  });

  it('refuses a path with a link in it', async () => {
    const { at } = await createWorkspace({ 'outside/a/b': '' });
    await symlink(at('outside'), at('link'));
    await expect(pinFolder(at('link'), 'read')).rejects.toMatchObject(notApproved);
    await expect(pinFolder(at('link/a'), 'read')).rejects.toMatchObject(notApproved);
    await expect(openRegularFile(at('link/a/b'))).rejects.toMatchObject(notApproved);
  });

  it('enters no link', async () => {
    const { at, folder } = await createWorkspace({ 'outside/a': '' });
    await symlink(at('outside'), at('link'));
    const pinned = await pinFolder(folder, 'write');
    await expect(pinned.enter('link')).rejects.toMatchObject(notApproved);
    await pinned.close();
  });

  it('keeps a file from being opened through a link in its place', async () => {
    const { at } = await createWorkspace({ 'outside/a': 'outside' });
    await mkdir(at('inside'));
    await symlink(at('outside/a'), at('inside/a'));
    await expect(openRegularFile(at('inside/a'))).rejects.toMatchObject(notApproved);
  });
});

/** Puts a link and a folder in the place of each other until it is killed. A folder made in between is in the way. */
const SWAPPER = `
const { renameSync, rmSync } = require('node:fs');
const [folder, link, spare] = process.argv.slice(1);
const put = (from, to) => {
  for (;;) {
    try { return renameSync(from, to); } catch {}
    try { rmSync(to, { recursive: true, force: true }); } catch {}
  }
};
process.send('ready', () => {
  for (;;) {
    put(folder, spare);
    put(link, folder);
    put(folder, link);
    put(spare, folder);
  }
});`;

it.runIf(isLinux && process.env['TROUPE_DEEP'])(
  'reaches nothing outside in 10,000 rounds against a program that swaps links',
  { timeout: 120_000 },
  async ({ onTestFinished }) => {
    const { at, folder, list } = await createWorkspace({ 'w/d/f': 'inside', 'o/f': 'outside' });
    await symlink(at('o'), at('w/l'));
    const args = ['-e', SWAPPER, at('w/d'), at('w/l'), at('w/spare')];
    const swapper = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    onTestFinished(() => void swapper.kill('SIGKILL'));
    await once(swapper, 'message');
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 10_000; round++) {
      const isRead = round % 10 > 0;
      const file = isRead ? at('w/d/f') : at(`w/d/n${round % 100}/n`);
      const context = createContext(folder, { files: { approvedPaths: [file] } });
      const [tool, input] = isRead
        ? [ReadTool, { file_path: file }]
        : [WriteTool, { file_path: file, content: 'x' }];
      const outcome = await runText(tool, input, context).catch((error: Error) => error.name);
      const kind = outcome.includes('outside') ? 'escaped' : outcome.slice(0, 8);
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    }
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
    expect(outcomes.get('escaped')).toBeUndefined();
    expect(outcomes.size).toBeGreaterThan(1);
    expect(Object.keys(await list()).filter((name) => name.startsWith('o/'))).toEqual(['o/f']);
  },
);

it('searches only what the search was allowed for', async () => {
  const { at, folder } = await createWorkspace({ 'inside/a': 'inside', 'outside/a': 'outside' });
  await symlink(at('outside'), at('link'));
  const context = createContext(folder, { files: { approvedPaths: [at('inside')] } });
  for (const path of ['link', 'link/a'])
    await expect(runText(GrepTool, { pattern: 'outside', path }, context)).rejects.toMatchObject(
      notApproved,
    );
  expect(await runText(GrepTool, { pattern: 'inside', path: 'inside' }, context)).toBe(
    at('inside/a'),
  );
});
