import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createProcessSupervisor } from '../../processes/process-supervisor.js';
import type { Environment } from '../../files/folders.js';
import { runProgram } from './run-program.js';

const TIMEOUT_MS = 5_000;

/**
 * Run the command of the setting `statusLine` like a hook, with JSON on stdin.
 *
 * @returns the first lines that it prints, without colors; empty if it fails or is too late
 */
export async function runStatusLine({
  command,
  cwd,
  env,
  facts,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly command: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-status-'));
  const processes = createProcessSupervisor({ env });
  try {
    const stdin = join(folder, 'stdin.json');
    await writeFile(stdin, JSON.stringify(facts), { mode: 0o600 });
    const { stdout, exitCode } = await runProgram(processes, {
      taskId: 'statusLine',
      command: `exec <'${stdin.replaceAll("'", String.raw`'\''`)}'\n${command}`,
      cwd,
      env: { ...env, CLAUDE_PROJECT_DIR: cwd, TROUPE_PROJECT_DIR: cwd },
      timeoutMs,
      signal: new AbortController().signal,
    });
    return exitCode === 0 ? textOf(stdout) : '';
  } finally {
    await processes.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const MOST_LINES = 3;

function textOf(stdout: string): string {
  const lines = stdout.split('\n').slice(0, MOST_LINES);
  return lines
    .map((line) => stripVTControlCharacters(line).trimEnd())
    .join('\n')
    .trimEnd();
}
