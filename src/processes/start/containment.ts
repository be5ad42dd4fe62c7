import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { ShellStartError, toStartError } from './shell-errors.js';
import type { Environment } from '../../files/folders.js';

/**
 * How the processes of a command are contained:
 * - `pid-namespace`: the command runs in its own pid and mount namespaces. No process survives the end of the shell.
 * - `marker`: a process that left the process group is found by a mark in its environment or by an inherited open file.
 * A process that clears its environment, closes its descriptors and starts a session is not found.
 * - `group`: there is no `/proc`. A process that leaves the process group is not found.
 */
export type Containment = 'pid-namespace' | 'marker' | 'group';

/** How commands are started on this machine. */
export type Launch = {
  readonly containment: Containment;
  /** Absolute path. */
  readonly shell: string;
  readonly isBash: boolean;
  /** Words before the shell; empty without a namespace. */
  readonly prefix: readonly string[];
  /** The words before the shell start a sandbox, which reports a failed start itself. */
  readonly sandbox?: 'bwrap' | 'external';
};

/**
 * The first process of the namespace. Without it the shell would be process 1, which ignores signals without a handler.
 * It writes its start to the hold file, does not report how the shell ended, and adopts orphans. The command's stderr
 * is descriptor 4, because `unshare` writes its own errors to descriptor 2.
 */
const INIT = 'echo started >&3; exec 2>/dev/null; (exec "$@" 2>&4 4>&-); exit $?';
export const INIT_COMMAND: readonly string[] = ['/bin/sh', '-c', INIT, 'troupe-init'];

const PROBE_EXIT_CODE = 7;
const PROBE_TIMEOUT_MS = 5_000;

/**
 * Find the shell and the strongest containment that works here: run a real command in each. `TROUPE_CONTAINMENT` in
 * `env`: `marker` uses no namespace; `auto` is the default.
 */
export async function findLaunch(env: Environment): Promise<Launch> {
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

/** The arguments to execute a command, which is one of them unchanged. */
export function toArguments({ prefix, shell, isBash }: Launch, command: string): string[] {
  return [...prefix, shell, ...(isBash ? ['--noprofile', '--norc'] : []), '-c', command];
}

/** Errors that are not about namespaces. If one of them counted, the weaker containment would be used from then on. */
const OUT_OF_RESOURCES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/**
 * Whether the containment works: the probe must see a namespace with its parent as process 1, and its exit code must
 * come through.
 */
function works([file = '', ...prefix]: readonly string[]): Promise<boolean> {
  const probe = `[ "$PPID" = 1 ] && [ -d /proc/1 ] && exit ${PROBE_EXIT_CODE}`;
  return new Promise((resolve, reject) => {
    execFile(
      file,
      // The probe has neither a hold file nor its own stderr: descriptors 3 and 4 are made for it.
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

function findShell(env: Environment): Pick<Launch, 'shell' | 'isBash'> {
  const bash = existsSync('/bin/bash') ? '/bin/bash' : findExecutable('bash', env);
  if (bash !== undefined) return { shell: bash, isBash: true };
  const sh = existsSync('/bin/sh') ? '/bin/sh' : findExecutable('sh', env);
  if (sh !== undefined) return { shell: sh, isBash: false };
  throw new ShellStartError('neither bash nor sh is in /bin or on the PATH.');
}

export function findExecutable(name: string, env: Environment): string | undefined {
  const folders = (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter);
  return folders
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** Whether this user may execute the file. */
export function isExecutable(file: string): boolean {
  if (!existsSync(file)) return false; // without the cost of an error
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
