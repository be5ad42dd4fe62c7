import { describe, expect, it } from 'vitest';
import type { PermissionBehavior } from '../../../src/core/permission-types.js';
import { decide } from '../../../src/permissions/decide.js';
import { contextOf, pathFacts, type Rules } from '../corpus.js';

type Example = Rules & {
  readonly cls: string;
  readonly tool: 'Read' | 'Edit' | 'Write' | 'NotebookEdit';
  readonly expect: PermissionBehavior;
  readonly paths: readonly string[];
  /** Link → target. */
  readonly symlinks?: Readonly<Record<string, string>>;
};

const PROJECT = '/home/u/proj';
const inProject = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `${PROJECT}/${name}`);

/** Cases of each class of ways around a rule for paths, and harmless cases that look alike. */
const EXAMPLES: readonly Example[] = [
  {
    cls: 'normalise',
    tool: 'Read',
    expect: 'ask',
    paths: inProject('../proj2/a', 'src/../../x', './../x', 'a//../../x', 'src/./../../../u/x'),
  },
  {
    cls: 'normalise',
    tool: 'Read',
    expect: 'deny',
    deny: ['Read(/keys/**)'],
    paths: inProject('keys/../keys/a', 'keys//a', './keys/./a', 'src/../keys/a', '../proj/keys/a'),
  },
  {
    cls: 'normalise',
    tool: 'Read',
    expect: 'ask',
    allow: ['Read(~/notes/**)'],
    paths: ['x', 'a/../../x', './../.ssh/id', '../proj2/a', '../../etc/passwd'].map(
      (rest) => `/home/u/notes/../${rest}`,
    ),
  },
  {
    cls: 'normalise',
    tool: 'Read',
    expect: 'allow',
    paths: inProject('a/../b', './a', 'a//b', '..a/b', 'a/...', '...'),
  },
  {
    cls: 'symlink',
    tool: 'Read',
    expect: 'ask',
    symlinks: {
      [`${PROJECT}/out`]: '/etc',
      [`${PROJECT}/up`]: '..',
      [`${PROJECT}/twice`]: 'out',
      [`${PROJECT}/deep/in`]: '../../x',
      [`${PROJECT}/loop`]: 'loop',
    },
    paths: inProject('out/hosts', 'up/x', 'twice/hosts', 'deep/in', 'loop'),
  },
  {
    cls: 'symlink',
    tool: 'Write',
    expect: 'deny',
    deny: ['Edit(/keys/**)'],
    mode: 'bypassPermissions',
    symlinks: {
      [`${PROJECT}/a`]: 'keys',
      [`${PROJECT}/b`]: `${PROJECT}/keys/x`,
      [`${PROJECT}/c`]: './a',
      [`${PROJECT}/keys/out`]: '/tmp',
      [`${PROJECT}/d`]: '../proj/keys',
    },
    paths: inProject('a/x', 'b', 'c/y', 'keys/out/z', 'd/x'),
  },
  {
    cls: 'symlink',
    tool: 'Write',
    expect: 'ask',
    mode: 'acceptEdits',
    symlinks: {
      [`${PROJECT}/a`]: '.git',
      [`${PROJECT}/b`]: '.npmrc',
      [`${PROJECT}/c`]: 'a/hooks',
      [`${PROJECT}/d`]: '/home/u/.bashrc',
      [`${PROJECT}/e`]: '.vscode',
    },
    paths: inProject('a/config', 'b', 'c/pre-commit', 'd', 'e/tasks.json'),
  },
  {
    cls: 'symlink',
    tool: 'Edit',
    expect: 'allow',
    mode: 'acceptEdits',
    symlinks: {
      [`${PROJECT}/a`]: 'src',
      [`${PROJECT}/b`]: `${PROJECT}/src/x`,
      [`${PROJECT}/c`]: '../proj/src',
      [`${PROJECT}/d`]: 'a',
      [`${PROJECT}/e`]: './src/../src',
    },
    paths: inProject('a/x', 'b', 'c/x', 'd/x', 'e/x'),
  },
  {
    cls: 'protected',
    tool: 'Write',
    expect: 'ask',
    mode: 'acceptEdits',
    allow: ['Edit', 'Write', 'Edit(/**)'],
    paths: inProject(
      '.git/config',
      'sub/.git/hooks/post-checkout',
      '.ssh/authorized_keys',
      'a/../.bashrc',
      '.claude/settings.local.json',
      '.troupe/x',
      'packages/a/.npmrc',
      './/.envrc',
    ),
  },
  {
    cls: 'protected',
    tool: 'Write',
    expect: 'allow',
    mode: 'acceptEdits',
    paths: inProject(
      '.gitignore',
      'git/config',
      'src/.github/x',
      'npmrc',
      '.envrc.md',
      '.claude/worktrees/a/x',
      '.troupe/worktrees/a/x',
    ),
  },
  {
    cls: 'cross-tool',
    tool: 'Write',
    expect: 'deny',
    deny: ['Edit(/docs/**)'],
    mode: 'bypassPermissions',
    paths: inProject('docs/a', 'docs/b/c', './docs/a', 'x/../docs/a', 'docs/.x'),
  },
  {
    cls: 'cross-tool',
    tool: 'NotebookEdit',
    expect: 'deny',
    deny: ['Read(/docs/**)'],
    paths: inProject('docs/a.ipynb', 'docs/b/c.ipynb', './docs/a', 'x/../docs/a', 'docs/.x'),
  },
  {
    cls: 'cross-tool',
    tool: 'Edit',
    expect: 'ask',
    allow: ['Write(/docs/**)', 'NotebookEdit(/docs/**)', 'Read(/docs/**)'],
    paths: inProject('docs/a', 'docs/b/c', './docs/a', 'x/../docs/a', 'docs/.x'),
  },
  {
    cls: 'cross-tool',
    tool: 'NotebookEdit',
    expect: 'allow',
    allow: ['Edit(/docs/**)'],
    paths: inProject('docs/a.ipynb', 'docs/b/c.ipynb', './docs/a', 'x/../docs/a', 'docs/.x'),
  },
];

describe.each([...new Set(EXAMPLES.map(({ cls }) => cls))])('%s', (name) => {
  const cases = EXAMPLES.filter(({ cls }) => cls === name);
  it.each(cases)('$expect of $tool in the mode $mode with $allow $deny', (example) => {
    const context = contextOf(example);
    const { tool, paths, symlinks } = example;
    const otherwise = paths.filter(
      (path) => decide(pathFacts(tool, path, symlinks), context).behavior !== example.expect,
    );
    expect(otherwise).toEqual([]);
    expect(paths.length).toBeGreaterThanOrEqual(5);
  });
});
