import { chmod, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareGit } from '../../src/git/safe-git.js';
import { createFiles } from '../support/files.js';

describe('prepareGit', () => {
  it('ends git if the signal aborts while git starts', async () => {
    const folder = await createFiles({ 'bin/git': '#!/bin/sh\nexec sleep 600\n' });
    await chmod(join(folder, 'bin/git'), 0o755);
    const abort = new AbortController();
    const env = { PATH: `${folder}/bin${delimiter}${process.env['PATH']}` };
    const prepared = prepareGit({ cwd: folder, env, signal: abort.signal });
    abort.abort();
    expect(await prepared).toEqual({
      failed: { code: 'ABORT_ERR', stdout: '', stderr: '', isCut: false },
    });
  });

  it.each(['.', '', 'bin'])(
    'runs no git of the repository for the entry "%s" of PATH',
    async (entry) => {
      const folder = await createFiles({
        git: '#!/bin/sh\n>ran\n',
        'bin/git': '#!/bin/sh\n>ran\n',
      });
      for (const name of ['git', 'bin/git']) await chmod(join(folder, name), 0o755);
      const env = { PATH: `${entry}${delimiter}${process.env['PATH']}` };
      const { signal } = new AbortController();
      expect(await prepareGit({ cwd: folder, env, signal })).toEqual({ git: expect.any(Function) });
      expect(await readdir(folder)).toEqual(['bin', 'git']);
    },
  );

  it('says that there is no git', async () => {
    const { signal } = new AbortController();
    expect(await prepareGit({ cwd: '/', env: { PATH: '.' }, signal })).toEqual({
      failed: { code: 'ENOENT', stdout: '', stderr: '', isCut: false },
    });
  });
});
