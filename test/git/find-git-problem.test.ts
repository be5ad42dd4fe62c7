import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findGitProblem } from '../../src/git/find-git-problem.js';
import { git, GIT_ENV, makeRepository } from '../support/repository.js';

/** A folder for one test. */
function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-problem-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function createRepository(): string {
  const folder = createFolder();
  makeRepository(folder);
  return folder;
}

const problemOf = (cwd: string, roots: readonly string[] = []) =>
  findGitProblem({ cwd, env: GIT_ENV, roots });

describe('findGitProblem', () => {
  it('finds none in a plain repository, below its top, in an empty one and outside of one', async () => {
    const plain = createRepository();
    for (const [key, value] of [
      ['remote.origin.url', 'https://example.com/a'],
      ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
      ['branch.main.remote', 'origin'],
      ['core.hooksPath', '.husky'],
      ['core.autocrlf', 'input'],
      ['user.email', 'a@example.com'],
    ] as const)
      git(plain, 'config', key, value);
    mkdirSync(join(plain, 'below'));
    const empty = createFolder();
    git(empty, 'init', '-q', '.');
    const places = [plain, join(plain, 'below'), empty, createFolder()];
    expect(await Promise.all(places.map((place) => problemOf(place)))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    'filter.x.clean',
    'filter.x.process',
    'diff.external',
    'diff.x.command',
    'diff.x.textconv',
    'gpg.program',
    'gpg.ssh.program',
    'core.sshCommand',
    'core.worktree',
    'core.attributesFile',
    'merge.x.driver',
    'extensions.partialClone',
    'remote.origin.promisor',
    'remote.origin.uploadpack',
    'submodule.x.ignore',
    'protocol.allow',
    'core.somethingNew',
    'hook.x.command',
  ])('names the key %s of a configuration', async (key) => {
    const folder = createRepository();
    const value = key === 'core.worktree' ? folder : 'x';
    git(folder, 'config', key, value);
    const [section = '', ...rest] = key.split('.');
    const name = rest.pop() ?? '';
    const spelled = [section, ...rest, name].join('.').toLowerCase();
    expect(await problemOf(folder)).toBe(`the configuration of its repository sets ${spelled}`);
  });

  it('finds keys that a configuration includes, and those of a worktree', async () => {
    const including = createRepository();
    writeFileSync(join(including, 'more'), '[filter "x"]\n\tclean = x\n');
    git(including, 'config', 'include.path', '../more');
    const withWorktree = createRepository();
    git(withWorktree, 'config', 'extensions.worktreeConfig', 'true');
    git(withWorktree, 'config', '--worktree', 'diff.external', 'x');
    expect(await problemOf(including)).toMatch(/sets filter\.x\.clean$/);
    expect(await problemOf(withWorktree)).toMatch(/sets diff\.external$/);
  });

  it('finds a repository that is elsewhere, unless that is a folder of the session', async () => {
    const owner = createRepository();
    const outside = createFolder();
    writeFileSync(join(outside, '.git'), `gitdir: ${join(owner, '.git')}\n`);
    const worktree = join(createFolder(), 'tree');
    git(owner, 'worktree', 'add', '-q', worktree);
    const problem = `its repository is in another place, ${join(owner, '.git')}`;
    expect(await problemOf(outside)).toBe(problem);
    expect(await problemOf(worktree)).toBe(problem);
    expect(await problemOf(worktree, [owner])).toBeUndefined();
  });

  it('finds submodules in the folder, in the index and in the last commit', async () => {
    const text = '[submodule "x"]\n\tpath = x\n\turl = x\n';
    const untracked = createRepository();
    writeFileSync(join(untracked, '.gitmodules'), text);
    const committed = createRepository();
    writeFileSync(join(committed, '.gitmodules'), text);
    git(committed, 'add', '.');
    git(committed, 'commit', '-qm', 'submodule');
    rmSync(join(committed, '.gitmodules'));
    const onlyCommitted = createRepository();
    writeFileSync(join(onlyCommitted, '.gitmodules'), text);
    git(onlyCommitted, 'add', '.');
    git(onlyCommitted, 'commit', '-qm', 'submodule');
    git(onlyCommitted, 'rm', '-q', '.gitmodules');
    const places = [untracked, committed, onlyCommitted];
    expect(await Promise.all(places.map((place) => problemOf(place)))).toEqual(
      places.map(() => 'it has submodules, which have their own configuration'),
    );
  });

  it('does not run in what looks like a repository without a work tree', async () => {
    const bare = createFolder();
    git(bare, 'init', '-q', '--bare', '.');
    expect(await problemOf(bare)).toBe('git cannot find its repository');
  });
});
