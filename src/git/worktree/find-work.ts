import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worktree } from '../../core/worktree.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import type { GitAnswer } from '../safe-git.js';
import { gitIn, type RetryingGit } from './run-git.js';
import type { Environment } from '../../files/folders.js';

/**
 * Why a worktree must not be removed, in words; undefined if removing it loses nothing. Every unknown state is a
 * reason. Ignored files are not.
 */
export async function findWork(worktree: Worktree, env: Environment): Promise<string | undefined> {
  try {
    return await look(worktree, env);
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE = 'its state cannot be read';

async function look(worktree: Worktree, env: Environment): Promise<string | undefined> {
  const { path, branch, base, repository } = worktree;
  const isThere = existsSync(path);
  const prepared = await gitIn(isThere ? path : repository, env);
  if ('failed' in prepared) return UNREADABLE;
  const { git } = prepared;
  const tip = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], repository);
  const isMoved = tip.code === 0 && tip.stdout.trim() !== base;
  if (!isThere) return isMoved ? COMMITS : undefined;
  const [top, gitDir, common, head] = lines(await git(PLACE));
  // Git takes a folder that is no longer a worktree for a part of the repository around it.
  if (gitDir === undefined || common === undefined || top !== (await realpath(path)))
    return UNREADABLE;
  if (isMoved || head !== base) return COMMITS;
  if (text(await git(STATUS)) !== '') return 'files were changed';
  return (
    (await findHidden(git, path)) ??
    (await findUnfinished(gitDir)) ??
    (await findLost(git, gitDir, base)) ??
    (await findStashed(git, common, branch)) ??
    (await findElsewhere(git, worktree))
  );
}

const COMMITS = 'it has commits';
const PLACE =
  'rev-parse --path-format=absolute --show-toplevel --absolute-git-dir --git-common-dir HEAD^{commit}'.split(
    ' ',
  );
const STATUS = [
  '--no-optional-locks',
  'status',
  '--porcelain',
  '--untracked-files=normal',
  '--ignore-submodules=dirty', // reading a submodule would run its configuration
  '--no-renames',
];

/** Find changes that `status` does not show: files that git skips, and submodules with content. */
async function findHidden(git: RetryingGit, path: string): Promise<string | undefined> {
  for (const entry of text(await git(['ls-files', '-z', '-v', '--stage'])).split('\0')) {
    const [head = '', file = ''] = entry.split('\t', 2);
    const tag = head[0] ?? '';
    if (/[a-z]/.test(tag)) return 'git assumes that some of its files are unchanged';
    if (tag === 'S' && existsSync(join(path, file))) return 'git skips some of its files';
    if (/^. 160000 /.test(head) && (await namesIn(join(path, file))).length > 0)
      return 'it has a submodule that was checked out';
  }
  return undefined;
}

const UNFINISHED =
  'MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG rebase-merge rebase-apply sequencer modules'.split(
    ' ',
  );

async function findUnfinished(gitDir: string): Promise<string | undefined> {
  const there = new Set(await namesIn(gitDir));
  const found = UNFINISHED.find((name) => there.has(name));
  return found === undefined ? undefined : `it has unfinished work (${found})`;
}

/** Find commits that only the worktree's own log leads to. */
async function findLost(
  git: RetryingGit,
  gitDir: string,
  base: string,
): Promise<string | undefined> {
  const log = join(gitDir, 'logs', 'HEAD');
  const read = readPlantedFile(log, { maxBytes: MAX_LOG_BYTES });
  if (read.status === 'unusable') return UNREADABLE;
  const entries = read.status === 'read' ? read.text.split('\n') : [];
  const visited = new Set(entries.flatMap((entry) => /^\S+ (\S+)/.exec(entry)?.[1] ?? []));
  visited.delete(base);
  if (visited.size > MAX_VISITED) return UNREADABLE;
  if (visited.size > 0) {
    const refs = ['--not', '--branches', '--tags', '--remotes'];
    const lost = text(await git(['rev-list', '-n1', ...visited, ...refs]));
    if (lost !== '') return 'it has commits that no branch leads to';
  }
  return undefined;
}

const MAX_VISITED = 1_000;
const MAX_LOG_BYTES = 10_000_000;

/** Stashes stay when the worktree goes, and are easily forgotten. */
async function findStashed(
  git: RetryingGit,
  common: string,
  branch: string,
): Promise<string | undefined> {
  if (!existsSync(join(common, 'logs', 'refs', 'stash'))) return undefined;
  const stashes = lines(await git(['stash', 'list', '--format=%gs', '--no-show-signature']));
  const isOfIt = stashes.some((stash) => new RegExp(`\\bon ${branch}:`, 'i').test(stash));
  return isOfIt ? 'it has stashed changes' : undefined;
}

async function findElsewhere(git: RetryingGit, worktree: Worktree): Promise<string | undefined> {
  const { path, branch } = worktree;
  const others = text(await git(['worktree', 'list', '--porcelain', '-z'])).split('\0\0');
  for (const other of others) {
    const [place = '', ...fields] = other.split('\0');
    const at = place.replace(/^worktree /, '');
    if (at.startsWith(`${path}/`)) return `it contains another worktree (${at})`;
    if (at !== path && fields.includes(`branch refs/heads/${branch}`))
      return `its branch is checked out in ${at}`;
  }
  return undefined;
}

function text({ code, stdout, stderr, isCut }: GitAnswer): string {
  if (code !== 0 || isCut) throw new Error(stderr);
  return stdout;
}

function lines(answer: GitAnswer): readonly string[] {
  return text(answer)
    .split('\n')
    .filter((line) => line !== '');
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
