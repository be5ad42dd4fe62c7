import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { lazily } from '../core/lazily.js';
import type { CommandResult } from './run/command-result.js';
import { findLaunch, type Containment } from './start/containment.js';
import { layGround, toKey, type Ground } from './ground.js';
import type { FoundProcess } from './cleanup/process-table.js';
import type { ShellCommand } from './run/run-command.js';
import { runConfined } from './run-confined.js';
import type { Sandbox } from './sandbox/sandbox.js';
import type { Service, ServiceCommand } from './run/service.js';
import { ProcessSupervisorClosedError, toStartError } from './start/shell-errors.js';
import { startMarkedService } from './start-marked-service.js';
import { sweep } from './cleanup/sweep.js';
import { createTaskRuns, type LiveProcess, type TaskRun } from './task-runs.js';
import type { Environment } from '../files/folders.js';

/** Starts the shells of one orchestrator and ends everything that they start. */
export interface ProcessSupervisor {
  /**
   * Run one command in its own process group, and in a pid namespace if that works. Resolves when all its processes
   * have ended. Rejects with a `ShellStartError` or {@link ProcessSupervisorClosedError} if nothing of it ran; rejects, and ends
   * the command, if its output cannot be written.
   */
  run(command: ShellCommand): Promise<CommandResult>;
  /**
   * End all remaining processes of this task. Resolves with the number of ended processes after two looks in a row
   * found none. If all commands of the task have ended, there is no look: a run ends when all its processes have.
   */
  sweep(taskId: string): Promise<number>;
  /**
   * Start a process that stays, in its own process group and marked with the task, without a namespace. The caller ends
   * it, and afterwards sweeps its task for processes that left the group; {@link ProcessSupervisor.close} and the
   * reaper end the rest. Rejects with a `ServiceStartError` or {@link ProcessSupervisorClosedError}.
   */
  startService(command: ServiceCommand): Promise<Service>;
  /** The shells and services that run, oldest first. */
  list(): readonly LiveProcess[];
  /** The containment in use. The first call runs a command in it to find out. */
  containment(): Promise<Containment>;
  /** Sweep everything of this supervisor and dismiss the reaper. Resolves with the number of ended processes. */
  close(): Promise<number>;
}

/**
 * Make a supervisor. Nothing is started before the first command. `PATH` and `TROUPE_CONTAINMENT` in `env` decide how
 * shells are started; each command has its own environment. `temporaryFolder` holds a small folder until {@link
 * ProcessSupervisor.close}.
 */
export function createProcessSupervisor({
  env = {},
  temporaryFolder = tmpdir(),
  sandbox = () => undefined,
}: {
  readonly env?: Environment;
  readonly temporaryFolder?: string;
  /** Sandbox of commands; called before each. Of services only those with `confine` run inside. */
  readonly sandbox?: () => Sandbox | undefined;
} = {}): ProcessSupervisor {
  const mark = randomBytes(12).toString('hex');
  const runs = createTaskRuns();
  const launch = lazily(() => findLaunch(env));
  const ground = lazily(prepare);
  let closing: Promise<number> | undefined;

  async function prepare(): Promise<Ground> {
    try {
      return layGround(await launch.get(), { mark, temporaryFolder, env });
    } catch (error) {
      throw toStartError(error);
    }
  }

  const add = (taskId: string): TaskRun => {
    if (closing !== undefined) throw new ProcessSupervisorClosedError();
    return runs.add(taskId);
  };

  /** End the runs, then the processes that still match. */
  async function endAll(
    ending: readonly TaskRun[],
    matches: (found: FoundProcess) => boolean,
  ): Promise<number> {
    const table = (await ground.get().catch(() => undefined))?.table; // without resources nothing could have started
    const before =
      table === undefined ? ending.length : (await table.look()).filter(matches).length;
    for (const run of ending) run.ending.abort();
    await Promise.allSettled(ending.map((run) => run.settled)); // the caller of `run` gets its error
    return before + (table === undefined ? 0 : await sweep(table, matches));
  }

  return {
    async run(command) {
      const { taskId } = command;
      const run = add(taskId);
      const running = ground
        .get()
        .then((laid) => runConfined(command, run, laid, sandbox))
        .finally(() => runs.remove(run));
      run.settled = running;
      const result = await running;
      runs.cleared(taskId); // all processes of the task have ended
      return result;
    },
    async startService(command) {
      const run = add(command.taskId);
      const service = startMarkedService(command, run, { getGround: ground.get, sandbox });
      run.settled = service.then(({ ended }) => ended).finally(() => runs.remove(run));
      run.settled.catch(() => {}); // the caller gets the error
      return service;
    },
    async sweep(taskId) {
      if (!runs.mayBeLeft(taskId)) return 0;
      const key = toKey(taskId);
      const ended = await endAll(runs.list(taskId), ({ keys }) => keys.has(key));
      runs.cleared(taskId);
      return ended;
    },
    list: () => runs.list().flatMap(({ live }) => (live === undefined ? [] : [live])),
    containment: async () => (await launch.get()).containment,
    close() {
      closing ??= (async () => {
        const laid = ground.current;
        if (laid === undefined) return 0;
        const ended = await endAll(runs.list(), ({ keys }) => keys.size > 0);
        const place = await laid.catch(() => undefined);
        await place?.reaper.dismiss();
        if (place !== undefined) rmSync(place.folder, { recursive: true, force: true });
        return ended;
      })();
      return closing;
    },
  };
}
