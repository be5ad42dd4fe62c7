import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { lazily } from '../core/lazily.js';
import type { CommandResult } from './command-result.js';
import { findLaunch, type Containment } from './containment.js';
import { layGround, toKey, type Ground } from './ground.js';
import type { FoundProcess } from './process-table.js';
import type { ShellCommand } from './run-command.js';
import { runConfined } from './run-confined.js';
import type { Sandbox } from './sandbox.js';
import type { Service, ServiceCommand } from './service.js';
import { KeeperClosedError, toStartError } from './shell-errors.js';
import { startMarkedService } from './start-marked-service.js';
import { sweep } from './sweep.js';
import { createTaskRuns, type LiveProcess, type TaskRun } from './task-runs.js';

/** Starts the shells of one orchestrator and answers for everything that they start. */
export interface ProcessSupervisor {
  /**
   * Runs one command in its own process group, and in a pid namespace where that works. Resolves when it and everything
   * it started is gone, whatever it did. Rejects with a `ShellStartError` or {@link KeeperClosedError} where nothing of
   * it ran, and where its output cannot be written (it is ended then).
   */
  run(command: ShellCommand): Promise<CommandResult>;
  /**
   * Ends whatever still belongs to this task. Resolves with how many processes were ended, after two looks in a row
   * found nothing. Looks at nothing for a task whose commands have all ended: a run ends when all of it is gone.
   */
  sweep(taskId: string): Promise<number>;
  /**
   * Starts a process that stays, in its own process group and marked as the task's, without a namespace. Whoever starts
   * it ends it, and sweeps its task afterwards for what has left the group; {@link ProcessSupervisor.close} and the reaper
   * end what is left. Rejects with a `ServiceStartError` or {@link KeeperClosedError}.
   */
  startService(command: ServiceCommand): Promise<Service>;
  /** The shells and services that run, oldest first. */
  list(): readonly LiveProcess[];
  /** Which hold is in force: found out once, by running a command in it. */
  containment(): Promise<Containment>;
  /** Sweeps everything of this supervisor and lets the reaper go. Resolves with how many processes were ended. */
  close(): Promise<number>;
}

/**
 * Nothing is started before the first command. `env` decides, by `PATH` and `TROUPE_CONTAINMENT`, how shells are
 * started; what commands see is in each command. `temporaryFolder` holds a small folder until {@link ProcessSupervisor.close}.
 */
export function createProcessSupervisor({
  env = {},
  temporaryFolder = tmpdir(),
  sandbox = () => undefined,
}: {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly temporaryFolder?: string;
  /** What holds commands back; asked for before each. Services run outside. */
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
    if (closing !== undefined) throw new KeeperClosedError();
    return runs.add(taskId);
  };

  /** Ends the runs, then what still matches. */
  async function endAll(
    ending: readonly TaskRun[],
    matches: (found: FoundProcess) => boolean,
  ): Promise<number> {
    const table = (await ground.get().catch(() => undefined))?.table; // without ground nothing could start
    const before =
      table === undefined ? ending.length : (await table.look()).filter(matches).length;
    for (const run of ending) run.ending.abort();
    await Promise.allSettled(ending.map((run) => run.settled)); // whoever ran it gets its error
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
      runs.cleared(taskId); // all of it is gone
      return result;
    },
    async startService(command) {
      const run = add(command.taskId);
      const service = startMarkedService(command, run, ground.get);
      run.settled = service.then(({ ended }) => ended).finally(() => runs.remove(run));
      run.settled.catch(() => {}); // whoever started it gets the error
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
