import { spawn } from 'node:child_process';

export type SampleTests = {
  readonly isPassed: boolean;
  readonly passed: number;
  readonly failed: number;
};

/** Run the sample's own tests, without the variables of an outer test runner. `signal` ends them. */
export async function runSampleTests(
  repository: string,
  signal: AbortSignal,
): Promise<SampleTests> {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => signal.aborted || reject(error));
    child.once('close', resolve);
  });
  const countOf = (word: string): number =>
    Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const passed = countOf('pass');
  return { isPassed: exitCode === 0 && passed > 0, passed, failed: countOf('fail') };
}
