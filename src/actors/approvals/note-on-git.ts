import { relative } from 'node:path';
import type { Environment } from '../../files/folders.js';
import { findWorkTree } from '../../files/folders.js';
import { prepareGit } from '../../git/safe-git.js';

const LONGEST_MS = 3_000;
/** Exit code of `check-ignore` for a file that git would add. */
const NOT_IGNORED = 1;

/** A warning about a private file in a repository: git would offer to commit it. */
export async function noteOnGit(
  file: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<string | undefined> {
  const root = findWorkTree(cwd);
  if (root === undefined) return undefined;
  const prepared = await prepareGit({ cwd, env, signal: AbortSignal.timeout(LONGEST_MS) });
  if ('failed' in prepared) return undefined;
  const { code } = await prepared.git(['check-ignore', '--quiet', '--', file]);
  if (code !== NOT_IGNORED) return undefined;
  return `git does not ignore it: add "/${relative(root, file)}" to .gitignore or .git/info/exclude`;
}
