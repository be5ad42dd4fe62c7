import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a file or folder of `examples/` of this package. */
export function examplePath(name: string): string {
  return fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
}

export type SampleCopy = {
  /** A new temporary folder for all files of the demo. */
  readonly folder: string;
  /** The copy of the library in that folder: a git repository if git is installed. */
  readonly repository: string;
};

/** Copy the sample library to a new temporary folder and commit it there. No configuration outside is touched. */
export async function copySample(): Promise<SampleCopy> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-demo-')));
  const repository = join(folder, 'tally');
  await cp(examplePath('sample-repo'), repository, { recursive: true });
  const git = (...args: readonly string[]): boolean =>
    spawnSync('git', args, {
      cwd: repository,
      stdio: 'ignore',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    }).status === 0;
  if (git('init', '--quiet', '--initial-branch=main')) {
    git('config', 'user.name', 'Troupe demo');
    git('config', 'user.email', 'demo@example.invalid');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'tally 0.3.0');
  }
  return { folder, repository };
}
