import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, open, rename, symlink, type FileHandle } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readWholeFile } from '../../../src/tools/files/known-file.js';
import { replaceFile } from '../../../src/tools/files/replace-file.js';
import { createWorkspace } from './workspace.js';

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

/** Calls back before a file is flushed to the disk, which then happens. */
async function onFlush(path: string, see: (handle: FileHandle) => void): Promise<void> {
  const handle = await open(path);
  const prototype = Object.getPrototypeOf(handle) as FileHandle; // that of all handles
  await handle.close();
  const { sync } = prototype;
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    see(this);
    return sync.call(this);
  });
  onTestFinished(() => void spy.mockRestore());
}

it.each([
  ['old.txt', /^755 after$/],
  ['new.txt', /^6\d\d after$/],
])(
  'flushes the whole content of %s before it stands there, keeps the mode, and leaves no other file',
  async (name, written) => {
    const { at, list } = await createWorkspace({ 'old.txt': 'before' });
    await chmod(at('old.txt'), 0o755);
    const before = await list();
    const { signal } = new AbortController();
    const flushed: unknown[] = [];
    await onFlush(at('old.txt'), ({ fd }) => {
      const there = existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined;
      flushed.push({ there, content: readFileSync(`/proc/self/fd/${fd}`, 'utf8') });
    });
    const previous = await readWholeFile(at(name), signal);
    await replaceFile(at(name), Buffer.from('after'), previous, signal);
    expect(flushed).toEqual([{ there: previous?.bytes.toString(), content: 'after' }]);
    expect(await list()).toEqual({
      ...before,
      [name]: expect.stringMatching(written),
    });
  },
);

it('leaves the file as it was, and no other, if its content cannot be flushed', async () => {
  const { at, list } = await createWorkspace({ 'old.txt': 'before' });
  const before = await list();
  const { signal } = new AbortController();
  const previous = await readWholeFile(at('old.txt'), signal);
  await onFlush(at('old.txt'), () => {
    throw new Error('the disk is broken');
  });
  await expect(replaceFile(at('old.txt'), Buffer.from('after'), previous, signal)).rejects.toThrow(
    'the disk is broken',
  );
  expect(await list()).toEqual(before);
});
