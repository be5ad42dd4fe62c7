import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFiles } from './files.js';

/** The settings that git needs before it commits, and nothing of the machine's own configuration. */
export const GIT_ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** Runs git in a folder. @returns what it says, without the last newline */
export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd,
    env: GIT_ENV,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trimEnd();
}

export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Makes a repository with one commit of a folder. */
export function makeRepository(
  folder: string,
  files: Readonly<Record<string, string>> = { 'a.txt': 'old\n', '.gitignore': 'ignored/\n' },
): void {
  put(folder, files);
  const commands =
    'git init -q -b main && git add -A && git -c maintenance.auto=false commit -qm first';
  execFileSync('sh', ['-c', commands], { cwd: folder, env: GIT_ENV, stdio: 'pipe' });
}

/** Makes a repository in its own folder, with the branch `main` and one commit of these files. */
export async function createRepository(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await createFiles(files);
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
  return folder;
}
