import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROTECTED_NAMES } from '../../permissions/paths/protected.js';
import { INIT_COMMAND } from '../start/containment.js';
import { toBwrapWords, type Mount } from './mount.js';
import { extendedExclude } from './git-exclude.js';
import { holdsOf } from './held-placeholders.js';
import { heldInPlace, hideSecrets } from './hide-secrets.js';
import { RUNTIME, TEMPORARY, ownPlaces, realPathOf, waysThroughTemporary } from './plan-mounts.js';
import { protectRoot } from './protect-root.js';
import type { Confined, Confinement, Sandbox, SandboxOptions } from './sandbox.js';
import { sandboxEnvironment } from './sandbox-environment.js';
import { secretPaths } from './secret-paths.js';
import { socketsOfTheMachine } from './unix-sockets.js';
import { createRootFinder, expandPath } from './workspace-roots.js';
import { isInside } from '../../files/is-inside.js';
import type { Environment } from '../../files/folders.js';

/** The command runs as first process of its own namespaces. */
const HOLD = '--unshare-all --die-with-parent --new-session --as-pid-1 --cap-drop ALL'.split(' ');

/**
 * The kernel's settings are read-only. Otherwise root could write to them even without capabilities, and one of them
 * names a program that the kernel runs outside.
 */
const KERNEL = '--proc /proc --ro-bind-try /proc/sys /proc/sys --dev /dev'.split(' ');

const PRELUDE_INSIDE = '/run/troupe/prelude';

/**
 * Run commands in bubblewrap: the machine is read-only except for the workspace, secrets are hidden, and there are
 * neither network nor other processes. @param program absolute path of bwrap @param env environment of Troupe: names
 * the places of secrets
 */
export function createBwrapSandbox(
  program: string,
  options: SandboxOptions,
  env: Environment,
): Sandbox {
  const findRoot = createRootFinder();
  const holds = holdsOf();
  const network = options.network === true;
  const home = env['HOME'] || homedir();
  const secrets = secretPaths(env);

  return {
    kind: 'bwrap',
    confine(confinement: Confinement): Confined {
      const { folder, cwd, workspace, holder, readable } = confinement;
      const temporary = makeFolder(join(folder, 'tmp'));
      const empty = makeFolder(join(folder, 'empty'));
      const emptyObject = join(folder, 'empty.json');
      writeFileSync(emptyObject, '{}\n');
      const there = workspace.filter(
        (path) => path === workspace[0] || realPathOf(path) !== undefined,
      );
      const roots = [...new Set(there.map(findRoot))];
      const given = (options.writable ?? [])
        .map((path) => expandPath(path, { home, cwd: workspace[0] ?? cwd }))
        .flatMap((path) => (realPathOf(path) === undefined ? [] : [findRoot(path)]));
      const visible = [...roots, ...given];
      const open = [...visible, ...realPathsOf(readable)];
      const closed = [...secrets, ...socketsOfTheMachine()].filter((path) => isShown(path, open));
      const masks = hideSecrets(closed, open);
      const own = visible.filter((path) => needsOwnMount(path, visible, masks));
      const isInWorkspace = (path: string): boolean => roots.some((root) => isInside(path, root));

      const held = own
        .filter((path) => roots.includes(path))
        .map((root) => {
          const isOpen = (path: string): boolean => given.includes(path);
          const protect = () =>
            protectRoot(root, { isOpen, isInWorkspace, empty, emptyObject, holder });
          return { root, ...holds.take(root, protect) };
        });
      const release = (): void => held.forEach((each) => each.release());
      try {
        const mounts: Mount[] = [
          ...ownPlaces(temporary, { network }),
          ...own
            .filter((path) => path !== '/')
            .map((path) => ({ kind: 'writable', path }) as const),
          ...heldInPlace(masks, visible),
          ...held.flatMap(({ guard }) => guard.mounts),
          ...masks,
          ...held.flatMap(({ root, guard }) => showExclude(root, guard.files, folder)),
          { kind: 'shown', path: PRELUDE_INSIDE, source: confinement.prelude },
          ...realPathsOf(readable, confinement.outputFolder).flatMap(showAsItIs),
        ];
        const prefix = [
          program,
          ...(network ? [...HOLD, '--share-net'] : HOLD),
          own.includes('/') ? '--bind' : '--ro-bind',
          '/',
          '/',
          ...KERNEL,
          ...toBwrapWords([...waysThroughTemporary(mounts, temporary), ...mounts]),
          '--chdir',
          realPathOf(cwd) ?? cwd,
          '--',
          ...INIT_COMMAND,
        ];
        return {
          launch: { ...confinement.launch, containment: 'pid-namespace', prefix, sandbox: 'bwrap' },
          env: sandboxEnvironment(confinement.env, options.environment),
          prelude: PRELUDE_INSIDE,
          litter: held.flatMap(({ guard }) => guard.litter),
          release,
        };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** Folders with other content inside. */
const REPLACED = ['/dev', '/proc', TEMPORARY, RUNTIME];

/** Whether a path of the machine can be seen inside. */
function isShown(path: string, open: readonly string[]): boolean {
  if (!REPLACED.some((folder) => isInside(path, folder))) return true;
  return open.some((root) => root !== '/' && isInside(path, root));
}

/**
 * Whether a writable path needs its own mount. A folder within another writable one needs none, and a mount would be
 * unsafe: a command could replace a folder on its path with a link. Below a read-only folder it needs one, and no
 * command can do that.
 */
function needsOwnMount(path: string, visible: readonly string[], masks: readonly Mount[]): boolean {
  const outer = visible.filter((other) => other !== path && isInside(path, other));
  const between = [
    ...outer.flatMap((root) => PROTECTED_NAMES.directories.map((name) => join(root, name))),
    ...masks.map((mask) => mask.path),
  ];
  return outer.length === 0 || between.some((closed) => isInside(path, closed));
}

/** The real paths of those that are given and exist. */
function realPathsOf(...paths: readonly (string | undefined)[]): readonly string[] {
  return paths.flatMap((path) => (path === undefined ? [] : (realPathOf(path) ?? [])));
}

/** Read-only, even in a place that the sandbox replaces. */
function showAsItIs(path: string): readonly Mount[] {
  return path === '/' ? [] : [{ kind: 'shown', path, source: path }];
}

/** Let git ignore placeholders. */
function showExclude(root: string, files: readonly string[], folder: string): readonly Mount[] {
  const extended = files.length === 0 ? undefined : extendedExclude(root, files);
  if (extended === undefined) return [];
  const source = join(folder, `exclude-${encodeURIComponent(root)}`.slice(0, 200));
  writeFileSync(source, extended.text);
  return [{ kind: 'shown', path: extended.path, source }];
}

function makeFolder(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  mkdirSync(path, { recursive: true, mode: 0o755 });
  return path;
}
