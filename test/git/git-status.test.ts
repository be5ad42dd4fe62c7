import { chmod, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGitStatus } from '../../src/git/git-status.js';
import { createFiles } from '../support/files.js';
import { createRepository, git, GIT_ENV } from '../support/repository.js';

describe('readGitStatus', () => {
  it('tells branch, changes and commits, from a folder below too', async () => {
    const cwd = await createRepository({ 'a.txt': 'a', 'sub/b.txt': 'b' });
    await writeFile(join(cwd, 'a.txt'), 'changed');
    await writeFile(join(cwd, 'ü.txt'), 'new');
    const { gitStatus, warnings } = await readGitStatus({ cwd: join(cwd, 'sub'), env: GIT_ENV });
    expect(gitStatus?.replace(/^[0-9a-f]{7,}/m, 'HASH')).toBe(
      [
        'Git, at the start of the session:',
        'Branch: main',
        'Status:',
        ' M ../a.txt',
        '?? ../ü.txt',
        'Recent commits:',
        'HASH first',
      ].join('\n'),
    );
    expect(warnings).toEqual([]);
  });

  it('describes a repository without a commit', async () => {
    const cwd = await createFiles({});
    git(cwd, 'init', '-q', '-b', 'main');
    const { gitStatus } = await readGitStatus({ cwd, env: GIT_ENV });
    expect(gitStatus).toContain(
      'No commits yet on main\nStatus:\n(clean)\nRecent commits:\n(none)',
    );
  });

  it('stays within 2,000 characters and says how much is left out', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `${'n'.repeat(100)}${index}.txt`);
    const cwd = await createRepository({ 'a.txt': 'a' });
    git(cwd, 'commit', '-q', '--allow-empty', '-m', 'm'.repeat(5_000));
    for (const name of names) await writeFile(join(cwd, name), '');
    const { gitStatus = '' } = await readGitStatus({ cwd, env: GIT_ENV });
    expect(gitStatus.length).toBeLessThanOrEqual(2_000);
    const shown = gitStatus.split('\n').filter((line) => line.startsWith('??')).length;
    expect(gitStatus).toContain(`(and ${300 - shown} more)`);
    expect(gitStatus).toContain('first');
  });

  it('runs nothing outside of a work tree', async () => {
    const bin = await createFiles({ git: '#!/bin/sh\ntouch "$MARK"\n' });
    await chmod(join(bin, 'git'), 0o755);
    const MARK = join(bin, 'mark');
    expect(await readGitStatus({ cwd: bin, env: { PATH: bin, MARK } })).toEqual({ warnings: [] });
    expect(existsSync(MARK)).toBe(false);
  });

  it('runs nothing that the repository names', async () => {
    const cwd = await createRepository({ 'a.txt': 'a', '.gitattributes': '*.txt filter=evil' });
    const trap = join(cwd, '.git/trap');
    await writeFile(trap, `#!/bin/sh\ntouch ${trap}.sprung\ncat\n`);
    await chmod(trap, 0o755);
    await writeFile(join(cwd, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${trap}.sprung\n`);
    await chmod(join(cwd, '.git/hooks/post-index-change'), 0o755);
    for (const [key, value] of [
      ['core.fsmonitor', trap],
      ['filter.evil.clean', trap],
      ['filter.evil.process', trap],
      ['filter.evil.required', 'true'],
      ['log.showSignature', 'true'],
      ['gpg.program', trap],
    ] as const)
      git(cwd, 'config', key, value);
    await writeFile(join(cwd, 'a.txt'), 'b');
    const { gitStatus, warnings } = await readGitStatus({ cwd, env: GIT_ENV });
    expect(gitStatus).toContain(' M a.txt');
    expect(warnings).toEqual([]);
    expect(existsSync(`${trap}.sprung`)).toBe(false);
  });

  it('gives up in time, and does without git if there is none', async () => {
    const cwd = await createFiles({ '.git/HEAD': '', 'bin/git': '#!/bin/sh\nexec sleep 30\n' });
    await chmod(join(cwd, 'bin/git'), 0o755);
    const PATH = `${join(cwd, 'bin')}:${process.env['PATH']}`;
    expect(await readGitStatus({ cwd, env: { PATH }, timeoutMs: 50 })).toEqual({
      warnings: [
        'The model does not get the state of the repository: git did not answer within 50 ms.',
      ],
    });
    expect(await readGitStatus({ cwd, env: { PATH: '/nowhere' } })).toEqual({ warnings: [] });
  });

  it.each([
    ['folder', { 'sub/x': '', '.git/.troupe/x': '' }],
    ['file', { 'sub/x': '', '.git': '' }],
  ])('takes no %s for a repository that only has its name', async (_, files) => {
    const cwd = join(await createFiles(files), 'sub');
    expect(await readGitStatus({ cwd, env: GIT_ENV })).toEqual({ warnings: [] });
  });

  it('says why git refuses', async () => {
    const cwd = await createRepository({ 'a.txt': 'a' });
    await writeFile(join(cwd, '.git/config'), '[core\n');
    const { gitStatus, warnings } = await readGitStatus({ cwd, env: GIT_ENV });
    expect(gitStatus).toBeUndefined();
    expect(warnings).toEqual([
      expect.stringMatching(/^The model does not get the state of the repository: .*bad config/),
    ]);
  });
});
