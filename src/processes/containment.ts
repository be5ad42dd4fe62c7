import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { UsageError } from '../core/errors.js';
import { ShellStartError, toStartError } from './shell-errors.js';

/**
 * What holds the processes of a command:
 * - `pid-namespace`: nothing survives the end of its shell, whatever it does. In a mount namespace of its own.
 * - `marker`: what left the process group is found by a mark in its environment or by an inherited open file. A process
 *   that clears its environment, closes its descriptors and starts a session is not found.
 * - `group`: no `/proc`. What leaves the process group is not found.
 */
export type Containment = 'pid-namespace' | 'marker' | 'group';

/** How commands are started on this machine. */
export type Launch = {
  readonly containment: Containment;
  /** Absolute path. */
  readonly shell: string;
  readonly isBash: boolean;
  /** What is written in front of the shell; empty without a namespace. */
  readonly prefix: readonly string[];
  /** What stands in front of the shell is a sandbox, which says so where it cannot start. */
  readonly sandbox?: 'bwrap' | 'external';
};

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The first process of the namespace. Without it the shell would be process 1, to which signals without a handler mean
 * nothing. It tells of its start on the hold file, stays quiet about how the shell ended, and takes on orphans. The
 * command's stderr is descriptor 4, for `unshare` writes its own trouble to 2.
 */
const INIT = 'echo started >&3; exec 2>/dev/null; (exec "$@" 2>&4 4>&-); exit $?';
export const INIT_COMMAND: readonly string[] = ['/bin/sh', '-c', INIT, 'troupe-init'];

const PROBE_EXIT_CODE = 7;
const PROBE_TIMEOUT_MS = 5_000;

/**
 * Finds the shell and the strongest hold that works here, by running a real command in it. `TROUPE_CONTAINMENT` in
 * `env`: `marker` does without the namespace; `auto` is the default.
 */
export async function findLaunch(env: Env): Promise<Launch> {
  const wanted = env['TROUPE_CONTAINMENT'] ?? 'auto';
  if (wanted !== 'auto' && wanted !== 'marker') {
    throw new UsageError(`TROUPE_CONTAINMENT is "${wanted}"; it can be "auto" or "marker".`);
  }
  const shell = findShell(env);
  if (!existsSync('/proc/self/environ')) return { ...shell, containment: 'group', prefix: [] };
  const unshare = wanted === 'auto' ? findExecutable('unshare', env) : undefined;
  if (unshare !== undefined) {
    const namespaces = ['--fork', '--pid', '--mount-proc', '--kill-child'];
    const asUser = [unshare, '--user', '--map-current-user', ...namespaces, '--', ...INIT_COMMAND];
    const asRoot = [unshare, ...namespaces, '--', ...INIT_COMMAND];
    const candidates = process.getuid?.() === 0 ? [asRoot, asUser] : [asUser];
    for (const prefix of candidates) {
      if (await works(prefix)) return { ...shell, containment: 'pid-namespace', prefix };
    }
  }
  return { ...shell, containment: 'marker', prefix: [] };
}

/** What to execute for a command, which stands in it as it is. */
export function toArguments({ prefix, shell, isBash }: Launch, command: string): string[] {
  return [...prefix, shell, ...(isBash ? ['--noprofile', '--norc'] : []), '-c', command];
}

/** Errors that say nothing of a namespace: with one of them the weaker hold would be in force for good. */
const OUT_OF_RESOURCES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** The probe must see a namespace in which its parent is process 1, and its exit code must come through. */
function works([file = '', ...prefix]: readonly string[]): Promise<boolean> {
  const probe = `[ "$PPID" = 1 ] && [ -d /proc/1 ] && exit ${PROBE_EXIT_CODE}`;
  return new Promise((resolve, reject) => {
    execFile(
      file,
      // The probe has neither hold file nor a stderr of its own: descriptors 3 and 4 are made for it.
      [
        ...prefix.map((word) => (word === INIT ? `exec 3>&2 4>&2; ${INIT}` : word)),
        '/bin/sh',
        '-c',
        probe,
      ],
      { timeout: PROBE_TIMEOUT_MS, killSignal: 'SIGKILL', env: {} },
      (error) =>
        OUT_OF_RESOURCES.has(error?.code)
          ? reject(toStartError(error))
          : resolve(error?.code === PROBE_EXIT_CODE),
    );
  });
}

function findShell(env: Env): Pick<Launch, 'shell' | 'isBash'> {
  const bash = existsSync('/bin/bash') ? '/bin/bash' : findExecutable('bash', env);
  if (bash !== undefined) return { shell: bash, isBash: true };
  const sh = existsSync('/bin/sh') ? '/bin/sh' : findExecutable('sh', env);
  if (sh !== undefined) return { shell: sh, isBash: false };
  throw new ShellStartError('neither bash nor sh is in /bin or on the PATH.');
}

export function findExecutable(name: string, env: Env): string | undefined {
  const folders = (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter);
  return folders
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
