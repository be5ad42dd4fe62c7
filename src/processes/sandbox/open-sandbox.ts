import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { findExecutable } from '../start/containment.js';
import { createBwrapSandbox } from './bwrap-sandbox.js';
import { createExternalSandbox } from './external-sandbox.js';
import { SANDBOX_MODES, type Sandbox, type SandboxOptions } from './sandbox.js';
import { SandboxUnavailableError } from './sandbox-unavailable-error.js';
import type { Environment } from '../../files/folders.js';

const PROBE_TIMEOUT_MS = 5_000;
const PROBE_EXIT_CODE = 7;
/** Succeeds if the command can write to the workspace but not beside it, and the exit code comes through. */
const PROBE = `: >inside || exit 1; (: >../beside) 2>/dev/null; exit ${PROBE_EXIT_CODE}`;

const HELP = {
  noBwrap: 'Install bubblewrap (apt-get install bubblewrap), or run without a sandbox.',
  noNamespaces:
    'Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a container --security-opt seccomp=unconfined), or run without a sandbox.',
  external: 'Correct "sandbox.command", or run without a sandbox.',
};

/**
 * Open the requested sandbox and run a real command in it; undefined if no sandbox is requested. Blocks for that
 * command.
 *
 * @throws SandboxUnavailableError if the sandbox does not work: then nothing runs
 */
export function openSandbox(
  options: SandboxOptions | undefined,
  env: Environment,
): Sandbox | undefined {
  if (options === undefined) return undefined;
  const { mode } = options;
  switch (mode) {
    case 'none':
      return undefined;
    case 'bwrap':
      return proven(createBwrapSandbox(findBwrap(env), options, env), HELP.noNamespaces, env);
    case 'external': {
      const { command = [] } = options;
      if (command.length > 0)
        return proven(createExternalSandbox(command, options, env), HELP.external, env);
      throw new UsageError(
        'The sandbox "external" needs a launcher: set "sandbox.command" to its words, such as ["firejail", "--quiet"].',
      );
    }
    default:
      mode satisfies never;
      throw new UsageError(
        `"${String(mode)}" is not a kind of sandbox. Choose one of ${SANDBOX_MODES.join(', ')}.`,
      );
  }
}

function findBwrap(env: Environment): string {
  const isLinux = process.platform === 'linux';
  const program = isLinux ? findExecutable('bwrap', env) : undefined;
  if (program !== undefined) return program;
  const why = isLinux ? 'bwrap is not on the PATH' : 'it needs Linux';
  throw new SandboxUnavailableError('bwrap', why, HELP.noBwrap);
}

function proven(sandbox: Sandbox, help: string, env: Environment): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-sandbox-')));
  try {
    const look = (name: string): string | undefined => whyBroken(sandbox, join(folder, name), env);
    // a file may have vanished during the first probe
    const why = look('first') === undefined ? undefined : look('second');
    if (why !== undefined) throw new SandboxUnavailableError(sandbox.kind, why, help);
    return sandbox;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why the sandbox does not work; undefined if it does. */
function whyBroken(sandbox: Sandbox, folder: string, env: Environment): string | undefined {
  const workspace = join(folder, 'workspace');
  const prelude = join(folder, 'prelude');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(prelude, '');
  const confined = sandbox.confine({
    launch: { containment: 'group', shell: '/bin/sh', isBash: false, prefix: [] },
    folder: join(folder, 'own'),
    prelude,
    holder: 'probe',
    cwd: workspace,
    workspace: [workspace],
    outputFolder: folder,
    env,
  });
  try {
    const [file = '', ...args] = [...confined.launch.prefix, '/bin/sh', '-c', PROBE];
    const { status, signal, error, stderr, output } = spawnSync(file, args, {
      cwd: workspace,
      env: confined.env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      timeout: PROBE_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
    if (error !== undefined) return error.message;
    if (status !== PROBE_EXIT_CODE) {
      const said = `${stderr}${String(output[4] ?? '')}`.trim().split('\n').at(-1);
      return said === undefined || said === '' ? `it ended with ${status ?? signal}` : said;
    }
    if (!existsSync(join(workspace, 'inside'))) return 'files that it writes do not appear outside';
    return existsSync(join(folder, 'beside'))
      ? 'a command in it can write outside the workspace'
      : undefined;
  } finally {
    confined.release();
  }
}
