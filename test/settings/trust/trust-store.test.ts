import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTrustStore, type TrustStore } from '../../../src/settings/trust/trust-store.js';

let folder: string;
let home: string;
let store: TrustStore;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'trust-')));
  home = join(folder, 'home');
  store = createTrustStore(home, () => new Date(0));
  await mkdir(join(folder, 'work/below'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);

describe('createTrustStore', () => {
  it('trusts nothing, and writes nothing, before a folder is added', async () => {
    expect(await store.findCovering(at('work'))).toBe(undefined);
    expect(await readdir(folder)).toEqual(['work']);
  });

  it('trusts a folder and what is below it, by whatever name', async () => {
    await symlink(at('work'), at('link'));
    expect(await store.trust(at('link'))).toBe(at('work'));
    expect(await store.findCovering(at('work/below'))).toBe(at('work'));
    expect(await store.findCovering(at('link'))).toBe(at('work'));
    expect(await store.findCovering(folder)).toBe(undefined);
    expect(await store.list()).toEqual([
      { folder: at('work'), trustedAt: '1970-01-01T00:00:00.000Z' },
    ]);
  });

  it('keeps its file to its owner, and leaves nothing beside it', async () => {
    await store.trust(at('work'));
    const modes = await Promise.all([home, join(home, 'trust.json')].map((path) => stat(path)));
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
    expect(await readdir(home)).toEqual(['trust.json']);
  });

  it('loses nothing when many write at once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => at(`work/${index}`));
    await Promise.all(names.map((name) => mkdir(name)));
    await Promise.all(names.map((name) => store.trust(name)));
    expect((await store.list()).map((one) => one.folder).sort()).toEqual(names.sort());
  });

  it('forgets a folder, also one that is gone', async () => {
    await store.trust(at('work'));
    await store.trust(at('work/below'));
    await rm(at('work/below'), { recursive: true });
    await store.forget(at('work/below'));
    await store.forget(at('work'));
    expect(await store.list()).toEqual([]);
  });

  it('refuses a pipe in the place of its file', async () => {
    await mkdir(home);
    execFileSync('mkfifo', ['-m', '600', join(home, 'trust.json')]);
    await expect(store.list()).rejects.toThrow(
      'The list of trusted folders cannot be read: it is not a regular file.',
    );
  });

  it('says why it cannot forget', async () => {
    await expect(store.forget(at('work'))).rejects.toThrow('work is not trusted.');
    await store.trust(at('work'));
    await expect(store.forget(at('work/below'))).rejects.toThrow(
      `${at('work/below')} is trusted because ${at('work')} is.`,
    );
    expect(await readdir(home)).toEqual(['trust.json']);
  });

  it('refuses what is no folder', async () => {
    await writeFile(at('file'), '');
    await expect(store.trust(at('file'))).rejects.toThrow(
      'file cannot be trusted: it is not a folder',
    );
    await expect(store.trust(at('none'))).rejects.toThrow(
      'none cannot be trusted: there is no such file or folder.',
    );
  });

  it.each([
    ['{', '2:1: This is not JSON'],
    ['{"version":2,"folders":{}}', '1:12: "version"'],
    ['{"version":1,\n"folders":[]}', '2:11: "folders"'],
  ])('refuses a file that holds %j, and leaves it', async (text, says) => {
    const file = join(home, 'trust.json');
    await mkdir(home);
    await writeFile(file, `${text}\n`);
    await expect(store.findCovering(at('work'))).rejects.toThrow(`${file}:${says}`);
    await expect(store.trust(at('work'))).rejects.toThrow(`${file}:${says}`);
    expect(await readdir(home)).toEqual(['trust.json']);
  });

  it.each([
    ['its group', 0o620],
    ['everybody else', 0o602],
    ['anybody', 0o666],
  ])('does not believe a file that %s may write', async (_, mode) => {
    await store.trust(at('work'));
    await chmod(join(home, 'trust.json'), mode);
    await expect(store.findCovering(at('work'))).rejects.toThrow('others can write the file');
  });
});
