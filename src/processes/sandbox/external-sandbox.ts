import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROTECTED_NAMES } from '../../permissions/paths/protected.js';
import type { Sandbox, SandboxOptions } from './sandbox.js';
import { sandboxEnvironment } from './sandbox-environment.js';
import { secretPaths } from './secret-paths.js';
import { createRootFinder, expandPath } from './workspace-roots.js';
import type { Environment } from '../../files/folders.js';

/**
 * Run commands behind a program of the user, which gets the restrictions as arguments and must enforce them. It must
 * run the words after them as a program, pass on its open files and its environment, and end when that program ends.
 */
export function createExternalSandbox(
  words: readonly string[],
  options: SandboxOptions,
  env: Environment,
): Sandbox {
  const findRoot = createRootFinder();
  const hidden = secretPaths(env);
  const home = env['HOME'] || homedir();
  return {
    kind: 'external',
    confine({ launch, cwd, workspace, prelude, env: wanted }) {
      const roots = [...new Set(workspace.map(findRoot))];
      const given = (options.writable ?? []).map((path) =>
        expandPath(path, { home, cwd: workspace[0] ?? cwd }),
      );
      const { directories, files } = PROTECTED_NAMES;
      const readOnly = roots
        .flatMap((root) => [...directories, ...files].map((name) => join(root, name)))
        .filter((path) => !given.includes(path));
      const lists: Readonly<Record<string, readonly string[]>> = {
        '{cwd}': [cwd],
        '{network}': [options.network === true ? 'yes' : 'no'],
        '{writable}': [...roots, ...given],
        '{readOnly}': readOnly,
        '{hidden}': hidden,
      };
      return {
        launch: {
          ...launch,
          prefix: [...launch.prefix, ...words.flatMap((word) => fill(word, lists))],
          sandbox: 'external',
        },
        env: sandboxEnvironment(wanted, options.environment),
        prelude,
        litter: [],
        release() {}, // no placeholders are made
      };
    },
  };
}

function fill(word: string, lists: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const [mark, values] = Object.entries(lists).find(([name]) => word.includes(name)) ?? [];
  if (mark === undefined || values === undefined) return [word];
  return values.map((value) => word.replaceAll(mark, () => value));
}
