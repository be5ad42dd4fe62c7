import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { startProcess } from '../start/start-process.js';
import { TroupeError } from '../../core/errors.js';
import { settlesWithin } from '../start/settles-within.js';
import { sendSignal } from '../start/signals.js';
import type { Environment } from '../../files/folders.js';

/** How long a service may take to end after its stdin was closed, and again after SIGTERM. */
const GRACE_MS = 1_000;
/** Wait for the output of a process that has ended; a process that it started may hold the output open. */
const DRAIN_MS = 200;

export type ServiceCommand = {
  /** Owner of the service, for the sweep. */
  readonly taskId: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /**
   * Run in the sandbox of shell commands, if there is one, with these variables in addition; outside if absent. The
   * service can read its folder, but not write there: the placeholders of a sandbox would stay as long as the service.
   */
  readonly confine?: { readonly env: Readonly<Record<string, string>> };
};

/** The words and descriptors with which a service starts. */
export type ServiceLaunch = {
  /** Descriptor of a file by which its processes are found if they leave the group and clear their environment. */
  readonly hold: number;
  /** Words before the program; empty outside a sandbox. */
  readonly prefix: readonly string[];
  /** The words before the program use descriptor 2 themselves, and pass on descriptor 4 as that of the program. */
  readonly hasOwnStderr: boolean;
};

export type ServiceEnd = {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
};

/** A process that stays and exchanges messages, in its own process group. It does not keep the event loop alive. */
export interface Service {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** How the service has ended; undefined while it lives. */
  readonly outcome: ServiceEnd | undefined;
  /** Resolves when the service has ended and its output was read. */
  readonly ended: Promise<ServiceEnd>;
  /** Close its stdin, then send SIGTERM, then SIGKILL to its group. A second call waits for the same end. */
  end(): Promise<ServiceEnd>;
  /** Send SIGKILL to its group at once. */
  kill(): void;
}

/** The program of a service could not be started: nothing of it has run. */
export class ServiceStartError extends TroupeError {
  override readonly name = 'ServiceStartError';
  readonly code = 'SERVICE_NOT_STARTED';

  constructor({ command, cwd }: ServiceCommand, cause: Error & { readonly code?: unknown }) {
    const missing = existsSync(cwd)
      ? `there is no program "${command}"${command.includes('/') ? '' : ' on the PATH'}`
      : `the folder ${cwd} to start it in does not exist`;
    const why = cause.code === 'ENOENT' ? missing : cause.message;
    super(`"${command}" could not be started: ${why.replace(/\.$/, '')}.`, { cause });
  }
}

/** @throws ServiceStartError */
export async function startService(
  command: ServiceCommand,
  { hold, prefix, hasOwnStderr }: ServiceLaunch,
): Promise<Service> {
  const [file = '', ...args] = [...prefix, command.command, ...command.args];
  const child = await startProcess(file, args, {
    cwd: command.cwd,
    env: { ...command.env },
    stdio: hasOwnStderr ? ['pipe', 'pipe', hold, hold, 'pipe'] : ['pipe', 'pipe', 'pipe', hold],
    detached: true,
  }).catch((error: unknown) => {
    throw new ServiceStartError(command, error as NodeJS.ErrnoException); // system calls throw this type
  });
  const { pid } = child;
  const [stdin, stdout] = child.stdio as unknown as [Writable, Readable]; // pipes
  const stderr = child.stdio[hasOwnStderr ? 4 : 2] as Readable; // a pipe
  child.unref();
  for (const stream of [stdin, stdout, stderr])
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref();

  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let outcome: ServiceEnd | undefined;
  const ended = new Promise<ServiceEnd>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      outcome = { exitCode, signal };
      sendSignal(-pid, 'SIGKILL'); // processes that it left in its group
      void settlesWithin(closed, DRAIN_MS).then(() => resolve({ exitCode, signal }));
    });
  });
  let ending: Promise<ServiceEnd> | undefined;

  const end = async (): Promise<ServiceEnd> => {
    child.ref(); // the caller waits for its end, even if nothing else keeps the event loop alive
    stdin.end();
    if (!(await settlesWithin(ended, GRACE_MS))) sendSignal(-pid, 'SIGTERM');
    if (!(await settlesWithin(ended, GRACE_MS))) sendSignal(-pid, 'SIGKILL');
    return ended;
  };
  return {
    pid,
    stdin,
    stdout,
    stderr,
    get outcome() {
      return outcome;
    },
    ended,
    end: () => (ending ??= end()),
    kill() {
      child.ref();
      sendSignal(-pid, 'SIGKILL');
    },
  };
}
