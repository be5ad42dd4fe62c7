import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROTECTED_NAMES } from '../../permissions/paths/protected.js';
import type { Sandbox, SandboxOptions } from '../sandbox.js';
import { sandboxEnvironment } from './sandbox-environment.js';
import { secretPaths } from './secret-paths.js';
import { createRootFinder, expandPath } from './workspace-roots.js';

/**
 * Commands behind a program of the user's own, which is told what they may do and has to see to it. It must run the
 * words after it as a program, hand its open files and environment on, and end when that program does.
 */
export function createExternalSandbox(
  words: readonly string[],
  options: SandboxOptions,
  env: Readonly<Record<string, string | undefined>>,
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
        release() {}, // it makes nothing
      };
    },
  };
}

function fill(word: string, lists: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const [mark, values] = Object.entries(lists).find(([name]) => word.includes(name)) ?? [];
  if (mark === undefined || values === undefined) return [word];
  return values.map((value) => word.replaceAll(mark, () => value));
}
