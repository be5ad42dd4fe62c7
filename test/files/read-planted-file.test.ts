import { execFileSync } from 'node:child_process';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlantedFile } from '../../src/files/read-planted-file.js';
import { createFiles } from '../support/files.js';

describe('readPlantedFile', () => {
  it('reads a file, also behind a link, without a byte order mark', async () => {
    const folder = await createFiles({ 'a.txt': '\ufeffgr\u00fcn\n' });
    const read = { status: 'read', path: join(folder, 'a.txt'), text: 'gr\u00fcn\n', isUtf8: true };
    expect(readPlantedFile(join(folder, 'a.txt'))).toEqual(read);
    await symlink('a.txt', join(folder, 'link'));
    expect(readPlantedFile(join(folder, 'link'), { roots: [folder] })).toEqual(read);
  });

  it('says that bytes are no UTF-8', async () => {
    const folder = await createFiles({ 'a.txt': '' });
    await writeFile(join(folder, 'a.txt'), Buffer.from([0x67, 0xfc]));
    expect(readPlantedFile(join(folder, 'a.txt'))).toMatchObject({
      text: 'g\ufffd',
      isUtf8: false,
    });
  });

  it.each(['nowhere', 'a.txt/b', '.'])('finds nothing at %s', async (name) => {
    const folder = await createFiles({ 'a.txt': '' });
    expect(readPlantedFile(join(folder, name))).toEqual({ status: 'missing' });
  });

  it.each([
    ['a pipe', 'pipe', 'it is not a regular file'],
    ['a device', 'zero', 'it is not a regular file'],
    ['a file of 1.5 GB', 'sparse', 'it has more than 1 MB'],
    ['a file with a NUL', 'nul', 'it is not text'],
    ['a link to itself', 'loop', 'its links lead in a circle'],
    ['a link out of the project', 'out', 'it is a link that leads out of the project'],
    [
      'a way out through a linked folder',
      'up/secret',
      'it is a link that leads out of the project',
    ],
  ])('refuses %s at once', async (_, name, why) => {
    const outer = await createFiles({ secret: 'x', 'p/nul': 'a\0b', 'p/sparse': '' });
    const folder = join(outer, 'p');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await truncate(join(folder, 'sparse'), 1_500_000_000);
    await symlink('/dev/zero', join(folder, 'zero'));
    await symlink('loop', join(folder, 'loop'));
    await symlink('../secret', join(folder, 'out'));
    await symlink('..', join(folder, 'up'));
    const roots = /^(?:out|up)/.test(name) ? [folder] : undefined;
    expect(readPlantedFile(join(folder, name), { roots })).toEqual({
      status: 'unusable',
      why: expect.stringContaining(why) as string,
    });
  });

  it('reads no more than its limit of a file that claims to be empty', () => {
    expect(readPlantedFile('/proc/self/maps', { maxBytes: 100 })).toEqual({
      status: 'unusable',
      why: 'it has more than 0.0001 MB',
    });
    expect(readPlantedFile('/proc/self/status')).toMatchObject({ status: 'read' });
  });
});
