import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { addWorktree, restoreWorktree } from '../../src/git/worktree/add-worktree.js';
import { findWork } from '../../src/git/worktree/find-work.js';
import { planWorktree } from '../../src/git/worktree/plan-worktree.js';
import { removeWorktree } from '../../src/git/worktree/remove-worktree.js';
import { createFiles } from '../support/files.js';
import { until } from '../processes/processes.js';
import { git, GIT_ENV, makeRepository, put } from '../support/repository.js';

const env = GIT_ENV;

async function createRepository(files?: Readonly<Record<string, string>>): Promise<string> {
  const folder = await createFiles({});
  makeRepository(folder, files);
  return folder;
}

async function createWorktree(name = 'a1', files?: Readonly<Record<string, string>>) {
  const repository = await createRepository(files);
  const worktree = await planWorktree(name, { cwd: repository, env });
  await addWorktree(worktree, env);
  return { repository, worktree, path: worktree.path };
}

const branches = (folder: string): string => git(folder, 'branch', '--format=%(refname:short)');

describe('a worktree', () => {
  it('is at the commit on its own branch, and the repository does not see it', async () => {
    const { repository, worktree, path } = await createWorktree();
    expect(worktree).toEqual({
      path: join(repository, '.troupe/worktrees/a1'),
      branch: 'troupe/a1',
      base: git(repository, 'rev-parse', 'HEAD'),
      repository,
      cwd: join(repository, '.troupe/worktrees/a1'),
    });
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('old\n');
    expect(git(path, 'branch', '--show-current')).toBe('troupe/a1');
    expect(git(repository, 'status', '--porcelain', '--untracked-files=all')).toBe('');
  });

  it('that nobody touched goes without a trace', async () => {
    const { repository, worktree, path } = await createWorktree();
    expect(await removeWorktree(worktree, env)).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    expect(branches(repository)).toBe('main');
    expect(git(repository, 'worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('begins in the folder that was worked in', async () => {
    const repository = await createRepository({ 'packages/a/x.ts': 'x' });
    const cwd = join(repository, 'packages/a');
    const worktree = await planWorktree('a1', { cwd, env });
    await addWorktree(worktree, env);
    expect(worktree.cwd).toBe(join(worktree.path, 'packages/a'));
    expect(existsSync(join(worktree.cwd, 'x.ts'))).toBe(true);
  });

  it('of a worktree is no part of it, and is at its commit', async () => {
    const { repository, path } = await createWorktree();
    git(path, 'commit', '-q', '--allow-empty', '-m', 'second');
    const second = await planWorktree('a2', { cwd: path, env });
    expect(second).toMatchObject({
      path: join(repository, '.troupe/worktrees/a2'),
      base: git(path, 'rev-parse', 'HEAD'),
    });
    await addWorktree(second, env);
    expect(await findWork(second, env)).toBeUndefined();
  });

  it('of a repository whose first work tree is bare is made in the one that is worked in', async () => {
    const bare = await createFiles({});
    const repository = await createRepository();
    git(repository, 'clone', '-q', '--bare', repository, join(bare, 'r.git'));
    git(join(bare, 'r.git'), 'worktree', 'add', '-q', join(bare, 'main'), 'main');
    const worktree = await planWorktree('a1', { cwd: join(bare, 'main'), env });
    await addWorktree(worktree, env);
    expect(worktree.path).toBe(join(bare, 'main/.troupe/worktrees/a1'));
    expect(await removeWorktree(worktree, env)).toBeUndefined();
    expect(existsSync(worktree.path)).toBe(false);
    await expect(planWorktree('a2', { cwd: join(bare, 'r.git'), env })).rejects.toThrow(
      'this operation must be run in a work tree',
    );
  });

  it('of a repository with submodules goes while they are empty', async () => {
    const part = await createRepository();
    const repository = await createRepository();
    git(repository, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', part, 'part');
    git(repository, 'commit', '-qm', 'part');
    const worktree = await planWorktree('a1', { cwd: repository, env });
    await addWorktree(worktree, env);
    git(worktree.path, '-c', 'protocol.file.allow=always', 'submodule', 'update', '-q', '--init');
    expect(await removeWorktree(worktree, env)).toBe('it has a submodule that was checked out');
    const second = await planWorktree('a2', { cwd: repository, env });
    await addWorktree(second, env);
    expect(await removeWorktree(second, env)).toBeUndefined();
    expect(existsSync(second.path)).toBe(false);
  });

  it('is made again, from its branch if that is left', async () => {
    const { repository, worktree, path } = await createWorktree();
    git(path, 'commit', '-q', '--allow-empty', '-m', 'work');
    git(repository, 'worktree', 'remove', path);
    const again = await restoreWorktree(worktree, env);
    expect(again).toEqual({ ...worktree, base: '' });
    expect(git(path, 'log', '-1', '--format=%s')).toBe('work');
    expect(await removeWorktree(again, env)).toBe('it has commits');
    const untouched = await planWorktree('a2', { cwd: repository, env });
    await addWorktree(untouched, env);
    await removeWorktree(untouched, env);
    expect(await restoreWorktree(untouched, env)).toEqual(untouched);
    expect(await removeWorktree(untouched, env)).toBeUndefined();
  });

  it('is one of many that are made at once', { timeout: 60_000 }, async () => {
    const repository = await createRepository();
    const count = process.env['TROUPE_DEEP'] === undefined ? 6 : 40;
    const names = Array.from({ length: count }, (_, index) => `a${index}`);
    const worktrees = await Promise.all(
      names.map(async (name) => {
        const worktree = await planWorktree(name, { cwd: repository, env });
        await addWorktree(worktree, env);
        return worktree;
      }),
    );
    expect(branches(repository).split('\n')).toHaveLength(count + 1);
    for (const worktree of worktrees.slice(0, 5))
      expect(await removeWorktree(worktree, env)).toBeUndefined();
    expect(branches(repository).split('\n')).toHaveLength(count - 4);
  });
});

describe('two processes', () => {
  const MODULES = join(import.meta.dirname, '../../.build/modules/git/worktree');
  const COUNT = process.env['TROUPE_DEEP'] === undefined ? 3 : 20;

  /** One process that makes so many worktrees at once, then removes them all at once. @returns what went wrong */
  async function makeMany(repository: string, prefix: string): Promise<string> {
    const program = `
      import { addWorktree } from '${pathToFileURL(join(MODULES, 'add-worktree.js')).href}';
      import { planWorktree } from '${pathToFileURL(join(MODULES, 'plan-worktree.js')).href}';
      import { removeWorktree } from '${pathToFileURL(join(MODULES, 'remove-worktree.js')).href}';
      const [cwd, prefix] = process.argv.slice(1);
      const env = process.env;
      const names = Array.from({ length: ${COUNT} }, (_, index) => prefix + index);
      const made = await Promise.all(names.map(async (name) => {
        const worktree = await planWorktree(name, { cwd, env });
        await addWorktree(worktree, env);
        return worktree;
      }));
      const kept = await Promise.all(made.map((worktree) => removeWorktree(worktree, env)));
      console.log(made.length, kept.filter((why) => why !== undefined).join());`;
    const words = ['--input-type=module', '-e', program, repository, prefix];
    const child = spawn(process.execPath, words, { env });
    const said = [child.stdout, child.stderr].map(async (stream) =>
      String(Buffer.concat(await stream.toArray())),
    );
    return (await Promise.all(said)).join('').trim();
  }

  it(
    `make ${COUNT} each at once in one repository, and all of them succeed`,
    { timeout: 90_000 },
    async () => {
      const repository = await createRepository();
      const said = await Promise.all(['a', 'b'].map((prefix) => makeMany(repository, prefix)));
      expect(said).toEqual([`${COUNT}`, `${COUNT}`]);
      expect(branches(repository)).toBe('main');
      expect(git(repository, 'worktree', 'list').split('\n')).toHaveLength(1);
    },
  );
});

describe('a lock of git', () => {
  it('is waited for until its holder is gone', async () => {
    const repository = await createRepository();
    const worktree = await planWorktree('a1', { cwd: repository, env });
    const lock = join(repository, '.git/refs/heads/troupe/a1.lock');
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '');
    const trace = join(await createFiles({ trace: '' }), 'trace');
    const made = addWorktree(worktree, { ...env, GIT_TRACE: trace });
    const tries = (): number => readFileSync(trace, 'utf8').split('git worktree add').length - 1;
    await until('git has met the lock twice', () => tries() >= 3);
    rmSync(lock);
    await made;
    expect(existsSync(worktree.path)).toBe(true);
  });
});

describe('a worktree of an earlier version', () => {
  it('is made again in the folder that it had', async () => {
    const repository = await createRepository();
    const planned = await planWorktree('a1', { cwd: repository, env });
    const path = join(repository, '.claude/worktrees/a1');
    const worktree = { ...planned, path, cwd: path };
    expect(await restoreWorktree(worktree, env)).toEqual(worktree);
    expect(existsSync(join(path, 'a.txt'))).toBe(true);
    expect(git(repository, 'status', '--porcelain', '--untracked-files=all')).toBe('');
    expect(await removeWorktree(worktree, env)).toBeUndefined();
  });
});

describe('work in a worktree', () => {
  type Place = { readonly path: string; readonly repository: string };
  const cases: readonly (readonly [string, (place: Place) => void, string | undefined])[] = [
    ['a changed file', ({ path }) => put(path, { 'a.txt': 'new\n' }), 'files were changed'],
    ['a new file', ({ path }) => put(path, { 'b.txt': '' }), 'files were changed'],
    ['a new file in a folder', ({ path }) => put(path, { 'd/e/f': '' }), 'files were changed'],
    ['a deleted file', ({ path }) => rmSync(join(path, 'a.txt')), 'files were changed'],
    ['a staged deletion', ({ path }) => git(path, 'rm', '-q', 'a.txt'), 'files were changed'],
    [
      'a staged file that is gone',
      ({ path }) => {
        put(path, { 'b.txt': 'b' });
        git(path, 'add', 'b.txt');
        rmSync(join(path, 'b.txt'));
      },
      'files were changed',
    ],
    [
      'a staged change that was undone on disk',
      ({ path }) => {
        put(path, { 'a.txt': 'new\n' });
        git(path, 'add', 'a.txt');
        put(path, { 'a.txt': 'old\n' });
      },
      'files were changed',
    ],
    [
      'a new file where untracked ones are not shown',
      ({ path }) => {
        git(path, 'config', 'status.showUntrackedFiles', 'no');
        put(path, { 'b.txt': '' });
      },
      'files were changed',
    ],
    [
      'a commit',
      ({ path }) => git(path, 'commit', '-q', '--allow-empty', '-m', 'x'),
      'it has commits',
    ],
    [
      'a commit on no branch',
      ({ path }) => {
        git(path, 'switch', '-q', '--detach');
        git(path, 'commit', '-q', '--allow-empty', '-m', 'x');
      },
      'it has commits',
    ],
    [
      'a commit that was left behind',
      ({ path }) => {
        git(path, 'commit', '-q', '--allow-empty', '-m', 'x');
        git(path, 'reset', '-q', '--hard', 'HEAD~1');
      },
      'it has commits that no branch leads to',
    ],
    [
      'another branch with a commit',
      ({ path }) => {
        git(path, 'switch', '-q', '-c', 'mine');
        git(path, 'commit', '-q', '--allow-empty', '-m', 'x');
      },
      'it has commits',
    ],
    [
      'a stash',
      ({ path }) => {
        put(path, { 'a.txt': 'new\n' });
        git(path, 'stash', '-q');
      },
      'it has stashed changes',
    ],
    [
      'a change that git is set to overlook',
      ({ path }) => {
        git(path, 'update-index', '--assume-unchanged', 'a.txt');
        put(path, { 'a.txt': 'new\n' });
      },
      'git assumes that some of its files are unchanged',
    ],
    [
      'a change that git is set to skip',
      ({ path }) => {
        git(path, 'update-index', '--skip-worktree', 'a.txt');
        put(path, { 'a.txt': 'new\n' });
      },
      'git skips some of its files',
    ],
    [
      'a bisection',
      ({ path }) => git(path, 'bisect', 'start'),
      'it has unfinished work (BISECT_LOG)',
    ],
    [
      'a broken .git',
      ({ path }) => put(path, { '.git': 'gitdir: /nowhere\n' }),
      'its state cannot be read',
    ],
    ['no .git', ({ path }) => rmSync(join(path, '.git')), 'its state cannot be read'],
    [
      'a worktree in an ignored folder',
      ({ path }) => git(path, 'worktree', 'add', '-q', '-b', 'in', join(path, 'ignored/w')),
      'it contains another worktree',
    ],
    [
      'its branch checked out by somebody else',
      ({ path, repository }) => {
        git(path, 'switch', '-q', '--detach');
        git(repository, 'switch', '-q', 'troupe/a1');
      },
      'its branch is checked out in',
    ],
    ['a lock', ({ path }) => git(path, 'worktree', 'lock', path), 'it cannot be removed'],
    ['an ignored file', ({ path }) => put(path, { 'ignored/x': '' }), undefined],
    [
      'a visit to another branch',
      ({ path, repository }) => {
        git(repository, 'branch', 'other');
        git(path, 'switch', '-q', 'other');
        git(path, 'switch', '-q', 'troupe/a1');
      },
      undefined,
    ],
    ['a touched file', ({ path }) => put(path, { 'a.txt': 'old\n' }), undefined],
    ['a hand that deleted it', ({ path }) => rmSync(path, { recursive: true }), undefined],
    [
      'a commit, and a hand that deleted it',
      ({ path }) => {
        git(path, 'commit', '-q', '--allow-empty', '-m', 'x');
        rmSync(path, { recursive: true });
      },
      'it has commits',
    ],
  ];
  it.each(cases)('%s', async (_what, work, expected) => {
    const place = await createWorktree();
    work(place);
    const tips = git(place.repository, 'rev-list', '--all', '--reflog').split('\n').length;
    const wasThere = existsSync(place.path);
    const why = await removeWorktree(place.worktree, env);
    expect(why ?? 'nothing').toContain(expected ?? 'nothing');
    expect(existsSync(place.path)).toBe(expected !== undefined && wasThere);
    expect(branches(place.repository).includes('troupe/a1')).toBe(expected !== undefined);
    expect(git(place.repository, 'rev-list', '--all', '--reflog').split('\n')).toHaveLength(tips);
  });
});

describe('a worktree that cannot be made', () => {
  it.each([
    ['no repository', () => undefined, 'not a git repository'],
    ['no commit', (folder: string) => void git(folder, 'init', '-q'), 'it has no commit yet'],
  ])('%s', async (_what, prepare, message) => {
    const folder = await createFiles({});
    prepare(folder);
    await expect(planWorktree('a1', { cwd: folder, env })).rejects.toMatchObject({
      code: 'WORKTREE_FAILED',
      message: expect.stringContaining(message) as string,
    });
  });

  it('without git', async () => {
    const repository = await createRepository();
    await expect(
      planWorktree('a1', { cwd: repository, env: { PATH: '/nowhere' } }),
    ).rejects.toThrow('git is not installed');
  });

  it('if its folder leads elsewhere', async () => {
    const elsewhere = await createFiles({});
    const repository = await createRepository();
    symlinkSync(elsewhere, join(repository, '.troupe'));
    const worktree = await planWorktree('a1', { cwd: repository, env });
    await expect(addWorktree(worktree, env)).rejects.toThrow(/it leads to|not a directory/);
    expect(branches(repository)).toBe('main');
  });
});

describe('a repository that nobody trusts', () => {
  it('runs none of its programs', async () => {
    const repository = await createRepository({
      'a.txt': 'a\n',
      '.gitattributes': '* filter=evil\n',
    });
    const trace = join(repository, '.git/trace');
    const evil = join(repository, '.git/evil.sh');
    writeFileSync(evil, `#!/bin/sh\necho "$0" >> '${trace}'\ncat\n`, { mode: 0o755 });
    for (const key of ['smudge', 'clean', 'process'])
      git(repository, 'config', `filter.evil.${key}`, evil);
    git(repository, 'config', 'filter.evil.required', 'true');
    git(repository, 'config', 'core.fsmonitor', evil);
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
      writeFileSync(
        join(repository, '.git/hooks', hook),
        `#!/bin/sh\necho ${hook} >> '${trace}'\n`,
        {
          mode: 0o755,
        },
      );
    const worktree = await planWorktree('a1', { cwd: repository, env });
    await addWorktree(worktree, env);
    expect(await removeWorktree(worktree, env)).toBeUndefined();
    expect(existsSync(worktree.path)).toBe(false);
    expect(existsSync(trace)).toBe(false);
  });

  it('is the one of the folder, whatever the environment names', async () => {
    const other = await createRepository();
    const repository = await createRepository();
    const named = { ...env, GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other };
    const worktree = await planWorktree('a1', { cwd: repository, env: named });
    await addWorktree(worktree, named);
    put(worktree.path, { 'b.txt': '' });
    expect(await removeWorktree(worktree, named)).toBe('files were changed');
  });
});
