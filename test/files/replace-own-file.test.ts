import fs, { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replaceOwnFile } from '../../src/files/replace-own-file.js';
import { injectFaults, type Fault } from '../faults/support/fs-faults.mjs';
import { createFiles } from '../support/files.js';

async function createFile() {
  const folder = await createFiles({ 'own.json': 'before' });
  return { folder, file: join(folder, 'own.json') };
}

function inject(fault: Fault) {
  const injected = injectFaults([fault]);
  onTestFinished(injected.undo);
  return injected;
}

describe('replaceOwnFile', () => {
  it('puts the new content in place of the old, for its owner alone', async () => {
    const { folder, file } = await createFile();
    await replaceOwnFile(file, () => Promise.resolve('after'));
    expect(readFileSync(file, 'utf8')).toBe('after');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await replaceOwnFile(join(folder, 'new/one.json'), () => Promise.resolve('new'), 0o644);
    expect(statSync(join(folder, 'new/one.json')).mode & 0o777).toBe(0o644);
    expect(readdirSync(folder)).toEqual(['new', 'own.json']);
  });

  it('is on stable storage before it is in its place', async () => {
    const { file } = await createFile();
    const { counts } = inject({ call: 'sync', path: 'own\\.json\\.lock$', nth: 1, effect: 'EIO' });
    await expect(replaceOwnFile(file, () => Promise.resolve('after'))).rejects.toThrow(
      `${file}: The file cannot be written: the disk reports an error.`,
    );
    expect(counts).toEqual([1]);
    expect(readFileSync(file, 'utf8')).toBe('before');
  });

  it.each([
    { call: 'write', effect: 'half' },
    { call: 'write', effect: 'EDQUOT' },
  ] as const)('leaves the old one, and nothing else, after $call $effect', async (fault) => {
    const { folder, file } = await createFile();
    inject({ ...fault, path: 'own\\.json\\.lock$', nth: 1 });
    await expect(replaceOwnFile(file, () => Promise.resolve('after'))).rejects.toMatchObject({
      name: 'UsageError',
      file,
    });
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['own.json']);
  });

  it('leaves the old one if no text can be made', async () => {
    const { folder, file } = await createFile();
    await expect(replaceOwnFile(file, () => Promise.reject(new Error('No text.')))).rejects.toThrow(
      'No text.',
    );
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['own.json']);
  });

  it('lets writers wait for each other: each sees what the one before has written', async () => {
    const { file } = await createFile();
    const add = (text: string): Promise<void> =>
      replaceOwnFile(file, async () => `${await fs.promises.readFile(file, 'utf8')} ${text}`);
    await Promise.all(['1', '2', '3', '4', '5'].map(add));
    expect(readFileSync(file, 'utf8').split(' ').toSorted()).toEqual('1 2 3 4 5 before'.split(' '));
  });
});
