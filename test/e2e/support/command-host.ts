import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const HOST = join(import.meta.dirname, 'command-host.mjs');

export type CommandLine = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
};
export type Answer = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Processes of this worker that have the command loaded: most of a short command is its start. */
const idle: ChildProcess[] = [];
const waiting: (() => void)[] = [];
let places = 3;

/**
 * Runs a command line in a process that had others before it, and that none shares meanwhile.
 *
 * @param signal ends the process with what it runs
 */
export async function callCommand(line: CommandLine, signal: AbortSignal): Promise<Answer> {
  if (places === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
  else places -= 1;
  try {
    const host = idle.pop() ?? (await startHost());
    const answer = await ask(host, line, signal);
    idle.push(host);
    return answer;
  } finally {
    const next = waiting.shift();
    if (next === undefined) places += 1;
    else next();
  }
}

async function startHost(): Promise<ChildProcess> {
  const host = fork(HOST, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { TZ: 'UTC' } });
  await once(host, 'message');
  host.unref(); // it ends with this process
  host.channel?.unref();
  return host;
}

function ask(host: ChildProcess, line: CommandLine, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const kill = (): void => void host.kill('SIGKILL');
    const settle = (): void => {
      signal.removeEventListener('abort', kill);
      host.off('message', take).off('exit', giveUp);
    };
    const take = (answer: unknown): void => {
      settle();
      resolve(answer as Answer); // what the host sends
    };
    const giveUp = (code: number | null, by: NodeJS.Signals | null): void => {
      settle();
      reject(new Error(`the process of "${line.args.join(' ')}" ended with ${code ?? by}`));
    };
    host.on('message', take).on('exit', giveUp);
    signal.addEventListener('abort', kill);
    if (signal.aborted) kill();
    else host.send(line);
  });
}
