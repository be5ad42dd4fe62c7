import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '../../api/errors.js';
import { readOwnPackage } from '../../api/files/own-package.js';
import { describeSystemError } from '../../api/text.js';
import { requireTemporaryFolder } from '../../api/files/folders.js';
import type { Launch, SandboxOptions } from '../../api/types.js';
import { findSecret, tryRipgrep, tryShell } from '../../api/processes/machine.js';
import { openSandbox } from '../../api/processes/sandbox.js';
import { openStdout } from '../output/output-writer.js';
import { found, type Check } from './check.js';

const PROBE_TIMEOUT_MS = 10_000;
const execute = promisify(execFile);

type Env = Readonly<Record<string, string | undefined>>;

/** Check the programs of the machine by running them. */
export async function checkMachine(env: Env): Promise<readonly Check[]> {
  const [shell, ...others] = await Promise.all([checkShell(env), checkGit(env), checkRipgrep()]);
  return [checkNode(), ...others, ...shell, checkTemporaryFolder(), checkTerminal()];
}

function checkNode(): Check {
  const least = readOwnPackage().engines.node.replace(/^\D+/, '');
  const isEnough = process.versions.node.localeCompare(least, 'en', { numeric: true }) >= 0;
  return isEnough
    ? found('node', 'ok', `Node.js ${process.versions.node}`)
    : found(
        'node',
        'fail',
        `Node.js ${process.versions.node} is too old.`,
        `Install ${least} or later.`,
      );
}

async function checkGit(env: Env): Promise<Check> {
  try {
    const { stdout } = await execute('git', ['--version'], {
      cwd: '/', // an entry `.` of PATH is not the repository there
      env: { ...env },
      timeout: PROBE_TIMEOUT_MS,
    });
    return found('git', 'ok', stdout.trim());
  } catch (error) {
    const help = 'Install git: without it agents do not see the state of a repository.';
    return found('git', 'warn', `git does not run: ${describeSystemError(error)}`, help);
  }
}

async function checkRipgrep(): Promise<Check> {
  const help = 'Install the dependencies again (npm ci): Glob and Grep need it.';
  try {
    const { version, complaint } = await tryRipgrep(PROBE_TIMEOUT_MS);
    if (complaint === undefined && version !== '') return found('ripgrep', 'ok', version);
    return found('ripgrep', 'fail', `ripgrep does not run: ${complaint ?? 'no output'}`, help);
  } catch (error) {
    return found('ripgrep', 'fail', `ripgrep does not run: ${describeSystemError(error)}`, help);
  }
}

async function checkShell(env: Env): Promise<readonly Check[]> {
  let launch: Launch;
  try {
    launch = await tryShell(env, PROBE_TIMEOUT_MS);
  } catch (error) {
    return [found('shell', 'fail', messageOf(error), 'Install bash: the Bash tool needs a shell.')];
  }
  const shell = launch.isBash
    ? found('shell', 'ok', launch.shell)
    : found(
        'shell',
        'warn',
        `The only shell is ${launch.shell}.`,
        'Install bash: models write commands for it.',
      );
  return [shell, judgeContainment(launch, env)];
}

/** Check the sandbox of the settings by running a command in it; without one, check whether bubblewrap works. */
export function checkSandbox(wanted: SandboxOptions | undefined, env: Env): Check {
  try {
    openSandbox(wanted ?? { mode: 'bwrap' }, env);
  } catch (error) {
    const why = messageOf(error);
    return wanted === undefined
      ? found('sandbox', 'ok', `No sandbox is configured, and none works here. ${why}`)
      : found('sandbox', 'fail', why);
  }
  return wanted === undefined
    ? found('sandbox', 'ok', 'No sandbox is configured. bubblewrap works: --sandbox bwrap')
    : found('sandbox', 'ok', `Commands run in the sandbox "${wanted.mode}".`);
}

function judgeContainment({ containment }: Launch, env: Env): Check {
  switch (containment) {
    case 'pid-namespace':
      return found('containment', 'ok', 'Commands run in a pid namespace: nothing survives them.');
    case 'marker': {
      const message =
        'There is no pid namespace: processes that leave their group are found by a mark.';
      const secret = findSecret(env);
      if (secret !== undefined)
        return found(
          'containment',
          'warn',
          `${message} A command can read ${secret} from the memory of troupe (/proc/$PPID/environ).`,
          'Use a pid namespace (user namespaces and unshare, without TROUPE_CONTAINMENT=marker) or --sandbox bwrap.',
        );
      if (env['TROUPE_CONTAINMENT'] === 'marker')
        return found('containment', 'ok', `${message} TROUPE_CONTAINMENT asks for this.`);
      const help = 'Allow user namespaces, and install unshare (util-linux).';
      return found('containment', 'warn', message, help);
    }
    case 'group':
      return found(
        'containment',
        'warn',
        'There is no /proc: processes that leave their group are not found.',
        'Mount /proc, if the system has it.',
      );
    default:
      return containment satisfies never;
  }
}

function checkTemporaryFolder(): Check {
  try {
    requireTemporaryFolder();
    return found('temporary folder', 'ok', 'It is writable.');
  } catch (error) {
    return found('temporary folder', 'fail', messageOf(error));
  }
}

/** Check for a terminal, at which a person decides on permission requests; without it rules or a client must decide. */
function checkTerminal(): Check {
  const [stdin, stdout] = [process.stdin.isTTY, openStdout().isTerminal].map((isTerminal) =>
    isTerminal ? 'a terminal' : 'no terminal',
  );
  return found('terminal', 'ok', `stdin is ${stdin}, stdout is ${stdout}.`);
}
