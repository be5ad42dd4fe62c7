import { existsSync } from 'node:fs';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { startProcess } from './start-process.js';
import { TroupeError } from '../core/errors.js';
import { settlesWithin } from './settles-within.js';
import { sendSignal } from './signals.js';

/** How long a service may take to end by itself, first after its stdin was closed, then after SIGTERM. */
const GRACE_MS = 1_000;
/** Output of a process that has ended, held open by something that it started. */
const DRAIN_MS = 200;

export type ServiceCommand = {
  /** Whose it is, for the sweep. */
  readonly taskId: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type ServiceEnd = {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
};

/** A process that stays and is talked to, in its own group. It does not keep the event loop alive. */
export interface Service {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** How it has ended; undefined while it lives. */
  readonly outcome: ServiceEnd | undefined;
  /** Resolves when it has ended and its output was read. */
  readonly ended: Promise<ServiceEnd>;
  /** Closes its stdin, then SIGTERM, then SIGKILL to its group. A second call waits for the same end. */
  end(): Promise<ServiceEnd>;
  /** SIGKILL to its group, at once. */
  kill(): void;
}

/** The program of a service could not be started: nothing of it has run. */
export class ServiceStartError extends TroupeError {
  override readonly name = 'ServiceStartError';
  readonly code = 'SERVICE_NOT_STARTED';

  constructor({ command, cwd }: ServiceCommand, cause: Error & { readonly code?: unknown }) {
    const missing = existsSync(cwd)
      ? `there is no program "${command}"${command.includes('/') ? '' : ' on the PATH'}`
      : `there is no folder ${cwd} to start it in`;
    const why = cause.code === 'ENOENT' ? missing : cause.message;
    super(`"${command}" could not be started: ${why.replace(/\.$/, '')}.`, { cause });
  }
}

/**
 * @param hold descriptor of a file that tells its processes, should they leave its group and clear their environment
 * @throws ServiceStartError
 */
export async function startService(command: ServiceCommand, hold: number): Promise<Service> {
  const child = (await startProcess(command.command, command.args, {
    cwd: command.cwd,
    env: { ...command.env },
    stdio: ['pipe', 'pipe', 'pipe', hold],
    detached: true,
  }).catch((error: unknown) => {
    throw new ServiceStartError(command, error as NodeJS.ErrnoException); // of a system call
  })) as ChildProcessByStdio<Writable, Readable, Readable> & { readonly pid: number }; // the first three are pipes
  const { pid, stdin, stdout, stderr } = child;
  child.unref();
  for (const stream of [stdin, stdout, stderr])
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref();

  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let outcome: ServiceEnd | undefined;
  const ended = new Promise<ServiceEnd>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      outcome = { exitCode, signal };
      sendSignal(-pid, 'SIGKILL'); // what it left in its group
      void settlesWithin(closed, DRAIN_MS).then(() => resolve({ exitCode, signal }));
    });
  });
  let ending: Promise<ServiceEnd> | undefined;

  const end = async (): Promise<ServiceEnd> => {
    child.ref(); // whoever ends it waits for its end, also when nothing else is left
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
