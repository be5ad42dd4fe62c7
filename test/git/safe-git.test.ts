import { chmod } from 'node:fs/promises';
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
});
