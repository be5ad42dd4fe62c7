import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatherFacts } from '../../../src/actors/facts/gather-facts.js';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';
import { decide } from '../../../src/permissions/decide.js';
import { safeguardedCommand } from '../../../src/permissions/matching/safeguarded-command.js';
import { BashTool } from '../../../src/tools/shell/bash.js';
import { createBashGrammar } from '../../../src/tools/shell/bash-grammar.js';
import type { Tool } from '../../../src/tools/tool.js';
import { git, GIT_ENV, makeRepository, put } from '../../support/repository.js';
import { createFolder } from '../../support/troupe.js';
import { createContext } from '../../support/tool-context.js';

const COMMANDS = [
  'git status',
  'git diff',
  'git log -p',
  "git log -1 --format='%G? %h'",
  'git diff --ignore-submodules=none',
  'git diff --submodule=diff',
];

/** A repository as an archive would bring it, that runs a program which leaves a marker. */
type Hostile = (folder: string, program: string) => void;

const HOSTILE: Readonly<Record<string, Hostile>> = {
  monitor: (folder, program) => void git(folder, 'config', 'core.fsmonitor', program),
  hook: (folder, program) => {
    put(folder, { 'same.txt': 'same\n' });
    git(folder, 'add', 'same.txt');
    utimesSync(join(folder, 'same.txt'), 1, 1); // git status writes its new time into the index
    put(folder, { '.git/hooks/post-index-change': `#!/bin/sh\n${program}\n` });
    chmodSync(join(folder, '.git/hooks/post-index-change'), 0o755);
  },
  filter: (folder, program) => {
    put(folder, { '.gitattributes': '* filter=x\n' });
    git(folder, 'config', 'filter.x.clean', program);
  },
  process: (folder, program) => {
    put(folder, { '.git/info/attributes': '* filter=x\n' });
    git(folder, 'config', 'filter.x.process', program);
  },
  'external diff': (folder, program) => void git(folder, 'config', 'diff.external', program),
  'driver of diffs': (folder, program) => {
    put(folder, { '.gitattributes': '* diff=x\n' });
    git(folder, 'config', 'diff.x.command', program);
  },
  textconv: (folder, program) => {
    put(folder, { '.gitattributes': '* diff=x\n' });
    git(folder, 'config', 'diff.x.textconv', program);
  },
  pager: (folder, program) => {
    git(folder, 'config', 'core.pager', program);
    git(folder, 'config', 'pager.log', program);
  },
  'included configuration': (folder, program) => {
    put(folder, { more: `[core]\n\tfsmonitor = ${program}\n[diff]\n\texternal = ${program}\n` });
    git(folder, 'config', 'include.path', '../more');
  },
  'configuration of a worktree': (folder, program) => {
    git(folder, 'config', 'extensions.worktreeConfig', 'true');
    git(folder, 'config', '--worktree', 'core.fsmonitor', program);
    git(folder, 'config', '--worktree', 'diff.external', program);
  },
  'repository inside': (folder, program) => {
    put(folder, { 'inner/a.txt': 'old\n' });
    makeRepository(join(folder, 'inner'));
    git(folder, 'add', 'inner');
    git(join(folder, 'inner'), 'config', 'core.fsmonitor', program);
    put(folder, { 'inner/a.txt': 'changed\n' });
  },
  submodule: (folder, program) => {
    put(folder, { 'inner/a.txt': 'old\n' });
    makeRepository(join(folder, 'inner'));
    put(folder, {
      '.gitmodules': '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n\tignore = none\n',
    });
    git(folder, 'add', 'inner', '.gitmodules');
    git(join(folder, 'inner'), 'config', 'core.fsmonitor', program);
    put(folder, { 'inner/a.txt': 'changed\n' });
  },
};

const bashGrammar = createBashGrammar();
const permissions = getEmptyToolPermissionContext();

/** Runs git in a hostile repository as far as it needs no prompt. */
async function runGit(make: Hostile, isTrusted: boolean) {
  const folder = await createFolder();
  const marker = join(folder, 'MARKER');
  makeRepository(folder, { 'a.txt': 'old\n' });
  const program = join(folder, '.git/program');
  writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\nexit 1\n`);
  chmodSync(program, 0o755);
  make(folder, program);
  put(folder, { 'a.txt': 'new\n' });
  rmSync(marker, { force: true });
  const world = createContext(folder, {
    session: { env: GIT_ENV, ...(isTrusted ? {} : { isUntrusted: true }) },
  });
  const asked: string[] = [];
  for (const command of COMMANDS) {
    const tool = BashTool as unknown as Tool; // a tool among others
    const facts = await gatherFacts(tool, { command }, world, bashGrammar);
    const decision = decide(facts, permissions);
    if (decision.behavior !== 'allow') {
      asked.push(command);
      continue;
    }
    const line = safeguardedCommand(facts, permissions, decision) ?? command;
    try {
      execFileSync('bash', ['-c', line], { cwd: folder, env: GIT_ENV, stdio: 'ignore' });
    } catch {
      // git fails because of the program
    }
  }
  return { hasRun: existsSync(marker), asked };
}

/** Programs that options of git switch off need no prompt, except in commands that visit submodules. */
const SWITCHED_OFF = ['monitor', 'hook', 'pager', 'repository inside'];

describe('a repository that nobody trusts', () => {
  it.each(Object.entries(HOSTILE))('runs no program by its %s', async (name, make) => {
    expect(await runGit(make, false)).toEqual({
      hasRun: false,
      asked: SWITCHED_OFF.includes(name) ? COMMANDS.slice(4) : COMMANDS,
    });
  });

  it.each(Object.entries(HOSTILE).filter(([name]) => name !== 'pager'))(
    'would run a program by its %s if somebody trusted it',
    async (_, make) => {
      expect(await runGit(make, true)).toEqual({ hasRun: true, asked: [] });
    },
  );
});
