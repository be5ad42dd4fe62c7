import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, open, rename, symlink, type FileHandle } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readWholeFile } from '../../../../src/tools/files/access/known-file.js';
import { replaceFile, replaceFiles } from '../../../../src/tools/files/write/replace-file.js';
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
  'flushes the whole content of %s before it is in place, keeps the mode, and leaves no other file',
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

it('gives the files that it has moved their originals back if a later one cannot be moved', async () => {
  const { at, list, put } = await createWorkspace({ 'old.txt': 'before' });
  await chmod(at('old.txt'), 0o640);
  const { signal } = new AbortController();
  const previous = await readWholeFile(at('old.txt'), signal);
  await put('there.txt', 'of somebody else');
  const before = await list();
  const replacements = [
    { path: at('old.txt'), previous },
    { path: at('made/new.txt'), previous: undefined },
    { path: at('there.txt'), previous: undefined },
  ].map((one) => ({ ...one, bytes: Buffer.from('after') }));
  await expect(replaceFiles(replacements, signal)).rejects.toMatchObject({
    code: 'FILE_CHANGED',
    path: at('there.txt'),
  });
  expect(await list()).toEqual(before);
});

it('moves no file if one of them has changed', async () => {
  const { at, list, put } = await createWorkspace({ 'a.txt': 'before', 'b.txt': 'before' });
  const { signal } = new AbortController();
  const replacements = await Promise.all(
    ['a.txt', 'b.txt'].map(async (name) => {
      const previous = await readWholeFile(at(name), signal);
      return { path: at(name), bytes: Buffer.from('after'), previous };
    }),
  );
  await put('b.txt', 'changed');
  const before = await list();
  await expect(replaceFiles(replacements, signal)).rejects.toMatchObject({
    code: 'FILE_CHANGED',
    path: at('b.txt'),
  });
  expect(await list()).toEqual(before);
});

it('leaves only the new files if all can be moved', async () => {
  const { at, list } = await createWorkspace({ 'a.txt': 'before', 'b.txt': 'before' });
  const { signal } = new AbortController();
  const replacements = await Promise.all(
    ['a.txt', 'b.txt', 'c/d.txt'].map(async (name) => {
      const previous = await readWholeFile(at(name), signal);
      return { path: at(name), bytes: Buffer.from('after'), previous };
    }),
  );
  await replaceFiles(replacements, signal);
  const after = expect.stringMatching(/ after$/) as string;
  expect(await list()).toEqual({
    'a.txt': after,
    'b.txt': after,
    c: expect.any(String) as string,
    'c/d.txt': after,
  });
});
