import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createProcessSupervisor } from '../../../src/processes/process-supervisor.js';
import type { ShellCommand } from '../../../src/processes/run/run-command.js';
import { openSandbox } from '../../../src/processes/sandbox/open-sandbox.js';
import type { SandboxOptions } from '../../../src/processes/sandbox/sandbox.js';

/** Why bubblewrap cannot be tested here; undefined if it can. */
export function whyNoBwrap(): string | undefined {
  try {
    openSandbox({ mode: 'bwrap' }, process.env);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** A workspace, a home and an outside, in a place that is not private to a sandbox. */
export function createPlace(parent = '/var/tmp') {
  const base = realpathSync(mkdtempSync(join(parent, 'sandbox-test-')));
  const place = {
    base,
    workspace: join(base, 'workspace'),
    home: join(base, 'home'),
    outside: join(base, 'outside'),
    temporary: join(base, 'temporary'),
    output: join(base, 'output'),
  };
  for (const path of Object.values(place)) mkdirSync(path, { recursive: true });
  return place;
}
export type Place = ReturnType<typeof createPlace>;

export function createSandboxed(
  place: Place,
  options: SandboxOptions,
  env = process.env,
  sandbox = openSandbox(options, { ...env, HOME: place.home }),
) {
  const processes = createProcessSupervisor({
    env: process.env,
    temporaryFolder: place.temporary,
    sandbox: () => sandbox,
  });
  let count = 0;
  return {
    processes,
    run: (command: string, more: Partial<ShellCommand> = {}) =>
      processes.run({
        taskId: `b${String((count += 1)).padStart(8, '0')}`,
        command,
        cwd: place.workspace,
        env: { ...env, HOME: place.home },
        timeoutMs: 20_000,
        signal: new AbortController().signal,
        onOutput: () => {},
        outputFile: join(place.output, `${count}`),
        ...more,
      }),
    async end() {
      await processes.close();
      rmSync(place.base, { recursive: true, force: true });
    },
  };
}
