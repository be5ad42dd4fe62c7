import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FakeReport } from './processes/fake-api.js';

/** Programs of `bench/processes/`, each run in its own process. */
type Program =
  | 'fake-api'
  | 'bare-loop'
  | 'troupe-loop'
  | 'bare-start'
  | 'troupe-start'
  | 'session-files'
  | 'fan-out'
  | 'many-tasks'
  | 'ended-tasks'
  | 'live-agents'
  | 'kill-subtree'
  | 'resume'
  | 'ask-latency'
  | 'busy-journal'
  | 'busy-terminal';

export const pathOf = (program: Program): string =>
  fileURLToPath(new URL(`processes/${program}.js`, import.meta.url));

/**
 * Runs a program to its end; resolves with the result that it sent. With `profileFolder` it leaves a CPU profile there.
 * Rejects with what it wrote to stderr when it ends without a result.
 */
export async function runProgram<Result>(
  program: Program,
  input: object,
  { profileFolder }: { readonly profileFolder?: string | undefined } = {},
): Promise<Result> {
  const execArgv =
    profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const child = start(program, [JSON.stringify(input)], execArgv);
  let result: { readonly value: Result } | undefined;
  child.on('message', (message) => {
    result = { value: message as Result }; // what `sendResult` of this very program sent
  });
  const { code, errors } = await endOf(child);
  if (code !== 0 || result === undefined)
    throw new Error(`bench/processes/${program} ended with ${code}:\n${errors}`);
  return result.value;
}

/** In a program: what `runProgram` passed. */
export function readInput<Input>(): Input {
  return JSON.parse(process.argv[2] ?? '{}') as Input; // written by the row that starts this program
}

/** In a program: hands the result over; nothing may be sent after it. */
export async function sendResult<Result extends object>(result: Result): Promise<void> {
  await new Promise<void>((sent) => process.send?.(result, undefined, {}, () => sent()));
  process.disconnect();
}

/** A fake Messages API in its own process. */
export interface FakeProcess {
  readonly url: string;
  report(): Promise<FakeReport>;
}

/** Starts a fake, runs `use` with it and ends it, whatever happens. */
export async function withFake<T>(use: (fake: FakeProcess) => Promise<T>): Promise<T> {
  const child = start('fake-api', [], []);
  try {
    const { url } = (await nextMessage(child)) as { readonly url: string }; // its first message
    return await use({
      url,
      async report() {
        const answer = nextMessage(child);
        child.send('report');
        return (await answer) as FakeReport;
      },
    });
  } finally {
    child.kill();
  }
}

function start(program: Program, args: readonly string[], execArgv: readonly string[]) {
  return fork(pathOf(program), args, {
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const failed = (code: number | null): void => reject(new Error(`The fake ended with ${code}.`));
    child.once('exit', failed);
    child.once('message', (message) => {
      child.off('exit', failed);
      resolve(message);
    });
  });
}

/** Waits for the end of a process; `errors` is what it wrote to stderr. */
export async function endOf(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly errors: string }> {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, errors };
}
