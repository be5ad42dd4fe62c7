// Decides whether git may run in an untrusted folder: a repository can name programs that `git status` runs.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { prepareGit, type SafeGit } from './safe-git.js';
import type { Environment } from '../files/folders.js';

const TIMEOUT_MS = 10_000;
const MOST_KEYS = 3;

/**
 * Keys that name no program and no other place, or that Troupe overrides when {@link
 * https://git-scm.com/docs/git-config git} runs in such a folder. An unlisted key may do anything, in this version of
 * git or in a later one.
 */
const HARMLESS_KEYS: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  /^core\.(?:autocrlf|eol|safecrlf|quotepath|abbrev|sparsecheckout|sparsecheckoutcone|untrackedcache|preloadindex)$/,
  /^core\.(?:commitgraph|multipackindex|protecthfs|protectntfs|compression|bigfilethreshold|longpaths|checkstat)$/,
  /^core\.(?:trustctime|whitespace|commentchar|hidedotfiles|fsmonitor|hookspath|pager)$/,
  /^extensions\.(?:worktreeconfig|objectformat|refstorage|relativeworktrees)$/,
  /^remote\..*\.(?:url|pushurl|fetch|push|mirror|prune|prunetags|tagopt|gh-resolved|followremotehead)$/,
  /^(?:branch|user|author|committer|init|pull|push|fetch|gc|pack|index|rerere|color|column|advice|feature)\./,
  /^(?:maintenance|pager|alias|url|http|https|status|log|commit|tag|rebase|blame)\./,
  /^(?:include|includeif)\..*path$/,
  /^merge\.[^.]+$/,
  /^diff\.(?:renames|renamelimit|algorithm|mnemonicprefix|colormoved|colormovedws|context|interhunkcontext|noprefix)$/,
  /^diff\.(?:indentheuristic|wserrorhighlight|statgraphwidth|submodule|ignoresubmodules|tool|guitool)$/,
  /^lfs\.repositoryformatversion$/,
];

/**
 * Why git may run a program of the repository in a folder, or show files of another place. Undefined if it does
 * neither. Runs git, but no program that the repository names.
 *
 * @param options.roots folders that the repository may be in, beside the work tree
 */
export async function findGitProblem({
  cwd,
  env,
  roots = [],
}: {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
  readonly roots?: readonly string[];
}): Promise<string | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const prepared = await prepareGit({ cwd, env, signal });
  if ('failed' in prepared) return 'the configuration of its repository cannot be read';
  const { git } = prepared;
  const [place, problem] = await Promise.all([
    findPlaceProblem(git, cwd, roots),
    findKeyProblem(git),
  ]);
  return place.hasRepository
    ? (place.problem ?? problem ?? (await findSubmodules(git)))
    : undefined;
}

type PlaceProblem = { readonly hasRepository: boolean; readonly problem?: string };

/** Check the place of the repository: in another place it belongs to somebody else. */
async function findPlaceProblem(
  git: SafeGit,
  cwd: string,
  roots: readonly string[],
): Promise<PlaceProblem> {
  const { code, stdout, stderr } = await git(['rev-parse', '--show-toplevel', '--git-common-dir']);
  const [top, common] = stdout.split('\n');
  if (code !== 0 || top === undefined || common === undefined) {
    const hasRepository = !stderr.startsWith('fatal: not a git repository');
    return { hasRepository, problem: 'git cannot find its repository' };
  }
  try {
    const [real, ...allowed] = await Promise.all(
      [resolve(cwd, common), top, ...roots].map((path) => realpath(path)),
    );
    const isInside = allowed.some((root) => `${real ?? ''}/`.startsWith(`${root}/`));
    return isInside
      ? { hasRepository: true }
      : { hasRepository: true, problem: `its repository is in another place, ${real ?? common}` };
  } catch {
    return { hasRepository: true, problem: 'its repository cannot be found' };
  }
}

async function findKeyProblem(git: SafeGit): Promise<string | undefined> {
  const { code, stdout, isCut } = await git([
    'config',
    '--list',
    '--show-scope',
    '-z',
    '--name-only',
  ]);
  if (code !== 0 || isCut) return 'the configuration of its repository cannot be read';
  const parts = stdout.split('\0');
  const keys = parts.flatMap((scope, index) => {
    const isOfRepository = index % 2 === 0 && (scope === 'local' || scope === 'worktree');
    return isOfRepository ? [(parts[index + 1] ?? '').toLowerCase()] : [];
  });
  const strange = keys.filter((key) => !HARMLESS_KEYS.some((harmless) => harmless.test(key)));
  if (strange.length === 0) return undefined;
  const names = [...new Set(strange)].slice(0, MOST_KEYS).join(', ');
  return `the configuration of its repository sets ${names}`;
}

/** The settings of a submodule in `.gitmodules` override the global ones, and a submodule has its own configuration. */
async function findSubmodules(git: SafeGit): Promise<string | undefined> {
  const [listed, committed, present] = await Promise.all([
    git(['ls-files', '--cached', '--others', '--full-name', '-z', '--', ':(top,icase).gitmodules']),
    git(['ls-tree', '--full-tree', '--name-only', '-z', 'HEAD', '.gitmodules']),
    git(['rev-parse', '--quiet', '--verify', 'HEAD']),
  ]);
  const isUnborn = present.code !== 0;
  if (listed.code !== 0 || (committed.code !== 0 && !isUnborn))
    return 'git cannot find out whether it has submodules';
  return listed.stdout === '' && (isUnborn || committed.stdout === '')
    ? undefined
    : 'it has submodules, which have their own configuration';
}
