import { dirname } from 'node:path';
import type { CommandResult } from './run/command-result.js';
import { markOf, preludeIn, restoreFolder, toKey, type Ground } from './ground.js';
import { createHoldFile } from './run/hold-file.js';
import { runCommand, type ShellCommand } from './run/run-command.js';
import type { Confined, Sandbox } from './sandbox/sandbox.js';
import { shellEnvironment } from './start/shell-environment.js';
import { ShellStartError, toStartError } from './start/shell-errors.js';
import type { TaskRun } from './task-runs.js';

const SANDBOX_ATTEMPTS = 3;

/**
 * Run a command in the sandbox, if there is one. The mounts of a sandbox are planned a moment before the start: if a
 * file has vanished since, they are planned again.
 *
 * @param run has the command's own signal, and gets the process
 * @throws ShellStartError if nothing of the command ran
 */
export async function runConfined(
  command: ShellCommand,
  run: TaskRun,
  ground: Ground,
  sandbox: () => Sandbox | undefined,
): Promise<CommandResult> {
  for (let attempt = 1; ; attempt += 1) {
    if (command.signal.aborted || run.ending.signal.aborted) return abortedBeforeStart(command);
    let confined: Confined | undefined;
    try {
      orNotStarted(() => restoreFolder(ground.folder));
      confined = confine(command, ground, sandbox);
      return await runMarked(command, run, ground, confined);
    } catch (error) {
      const isWorthAnother = confined !== undefined && error instanceof ShellStartError;
      if (!isWorthAnother || attempt === SANDBOX_ATTEMPTS) throw error;
    }
  }
}

function confine(
  { cwd, workspace = [cwd], leavesSandbox, env, outputFile }: ShellCommand,
  { launch, folder, mark }: Ground,
  sandbox: () => Sandbox | undefined,
): Confined | undefined {
  if (leavesSandbox === true) return undefined;
  return sandbox()?.confine({
    launch,
    folder,
    prelude: preludeIn(folder),
    holder: mark,
    cwd,
    workspace,
    outputFolder: dirname(outputFile),
    env,
  });
}

/** Run a command with the mark of its task and with an open hold file, which all its processes inherit. */
async function runMarked(
  command: ShellCommand,
  run: TaskRun,
  ground: Ground,
  confined: Confined | undefined,
): Promise<CommandResult> {
  const { taskId, cwd, command: text } = command;
  const { folder, table, reaper } = ground;
  const launch = confined?.launch ?? ground.launch;
  const prelude = confined?.prelude ?? preludeIn(folder);
  const marks = { mark: markOf(ground, taskId), cwd };
  const marked = shellEnvironment(confined?.env ?? command.env, marks);
  const env = { ...marked, CLAUDECODE: '1' }; // scripts see by this that an agent runs them
  reaper.addLitter(confined?.litter ?? []);
  try {
    await reaper.ready();
    const hold = orNotStarted(() => createHoldFile(ground.newHoldFile(taskId)));
    return await runCommand(command, {
      launch,
      env: launch.isBash ? { ...env, BASH_ENV: quoted(prelude) } : env,
      hold,
      key: toKey(taskId),
      table,
      ending: run.ending.signal,
      onStart(pid) {
        reaper.add(pid);
        run.live = { pid, taskId, command: text, startedAt: Date.now() };
      },
    });
  } finally {
    if (run.live !== undefined) reaper.remove(run.live.pid);
    confined?.release();
  }
}

function orNotStarted<T>(prepareStart: () => T): T {
  try {
    return prepareStart();
  } catch (error) {
    throw toStartError(error);
  }
}

/** Bash expands the value of BASH_ENV like a text in double quotes. */
function quoted(path: string): string {
  return path.replace(/[\\$`"]/g, String.raw`\$&`);
}

function abortedBeforeStart({ cwd }: ShellCommand): CommandResult {
  const now = Date.now();
  return {
    exitCode: null,
    signal: null,
    stdout: '',
    stderr: '',
    isTimedOut: false,
    isAborted: true,
    isTruncated: false,
    durationMs: 0,
    cwd,
    startedAt: now,
    endedAt: now,
    outputBytes: 0,
  };
}
