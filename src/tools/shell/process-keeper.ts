import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandResult } from './command-result.js';
import { findLaunch, type Containment, type Launch } from './containment.js';
import { layGround, preludeIn, restoreFolder, type Ground } from './ground.js';
import { createHoldFile } from './hold-file.js';
import type { FoundProcess } from './process-table.js';
import { runCommand, type ShellCommand } from './run-command.js';
import { ServiceStartError, startService, type Service, type ServiceCommand } from './service.js';
import { shellEnvironment } from './shell-environment.js';
import { KeeperClosedError, ShellStartError, toStartError } from './shell-errors.js';
import { sweep } from './sweep.js';
import type { Confined, Sandbox } from './sandbox/sandbox.js';

const SANDBOX_ATTEMPTS = 3;

/** A process that a task runs. `pid` is also its process group. */
export type LiveProcess = {
  readonly pid: number;
  readonly taskId: string;
  readonly command: string;
  /** Epoch ms. */
  readonly startedAt: number;
};

/** Starts the shells of one orchestrator and answers for everything that they start. */
export interface ProcessKeeper {
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
   * it ends it, and sweeps its task afterwards for what has left the group; {@link ProcessKeeper.close} and the reaper
   * end what is left. Rejects with a `ServiceStartError` or {@link KeeperClosedError}.
   */
  startService(command: ServiceCommand): Promise<Service>;
  /** The shells and services that run, oldest first. */
  list(): readonly LiveProcess[];
  /** Which hold is in force: found out once, by running a command in it. */
  containment(): Promise<Containment>;
  /** Sweeps everything of this keeper and lets the reaper go. Resolves with how many processes were ended. */
  close(): Promise<number>;
}

type Run = {
  readonly taskId: string;
  readonly ending: AbortController;
  settled?: Promise<unknown>;
  live?: LiveProcess;
};

/**
 * Nothing is started before the first command. `env` decides, by `PATH` and `TROUPE_CONTAINMENT`, how shells are
 * started; what commands see is in each command. `temporaryFolder` holds a small folder until {@link ProcessKeeper.close}.
 */
export function createProcessKeeper({
  env = {},
  temporaryFolder = tmpdir(),
  sandbox = () => undefined,
}: {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly temporaryFolder?: string;
  /** What holds commands back; asked for before each. Services run outside. */
  readonly sandbox?: () => Sandbox | undefined;
} = {}): ProcessKeeper {
  const mark = randomBytes(12).toString('hex');
  const runs = new Set<Run>();
  const taskIds = new Set<string>();
  let launch: Promise<Launch> | undefined;
  let ground: Promise<Ground> | undefined;
  let closing: Promise<number> | undefined;
  let runCount = 0;

  /** What failed once, for want of a descriptor say, is tried again by the next command. */
  const getLaunch = () =>
    (launch ??= findLaunch(env).catch((error: unknown) => {
      launch = undefined;
      throw error;
    }));
  const getGround = () =>
    (ground ??= prepare().catch((error: unknown) => {
      ground = undefined;
      throw toStartError(error);
    }));

  async function prepare(): Promise<Ground> {
    return layGround(await getLaunch(), { mark, temporaryFolder, env });
  }

  /** A sandbox is laid over what was there a moment ago: where something has gone, it is looked at again. */
  async function start(command: ShellCommand, run: Run): Promise<CommandResult> {
    const place = await getGround();
    for (let attempt = 1; ; attempt += 1) {
      if (command.signal.aborted || run.ending.signal.aborted) return abortedBeforeStart(command);
      let confined: Confined | undefined;
      try {
        orNotStarted(() => restoreFolder(place.folder));
        confined = confine(command, place);
        return await runConfined(command, run, place, confined);
      } catch (error) {
        const isWorthAnother = confined !== undefined && error instanceof ShellStartError;
        if (!isWorthAnother || attempt === SANDBOX_ATTEMPTS) throw error;
      }
    }
  }

  async function runConfined(
    command: ShellCommand,
    run: Run,
    { folder, table, launch: found, reaper }: Ground,
    confined: Confined | undefined,
  ): Promise<CommandResult> {
    const key = toKey(command.taskId);
    const holdFile = join(folder, `${key}.${(runCount += 1)}`);
    const used = confined?.launch ?? found;
    const prelude = confined?.prelude ?? preludeIn(folder);
    reaper.addLitter(confined?.litter ?? []);
    const marks = { mark: `${mark}/${key};`, cwd: command.cwd };
    const marked = shellEnvironment(confined?.env ?? command.env, marks);
    const shellEnv = { ...marked, CLAUDECODE: '1' }; // tells scripts that an agent runs them
    try {
      await reaper.ready();
      const hold = orNotStarted(() => createHoldFile(holdFile));
      return await runCommand(command, {
        launch: used,
        env: used.isBash ? { ...shellEnv, BASH_ENV: quoted(prelude) } : shellEnv,
        hold,
        key,
        table,
        ending: run.ending.signal,
        onStart(pid) {
          reaper.add(pid);
          const { taskId, command: text } = command;
          run.live = { pid, taskId, command: text, startedAt: Date.now() };
        },
      });
    } finally {
      if (run.live !== undefined) reaper.remove(run.live.pid);
      confined?.release();
    }
  }

  function confine(command: ShellCommand, { launch: found, folder }: Ground): Confined | undefined {
    const { cwd, workspace = [cwd], leavesSandbox, env: wanted, outputFile } = command;
    if (leavesSandbox === true) return undefined;
    return sandbox()?.confine({
      launch: found,
      folder,
      prelude: preludeIn(folder),
      holder: mark,
      cwd,
      workspace,
      outputFolder: dirname(outputFile),
      env: wanted,
    });
  }

  /** What the process of a service is started on: the reaper and a file that it holds open. */
  async function prepareService(command: ServiceCommand): Promise<Ground & { hold: number }> {
    try {
      const place = await getGround();
      restoreFolder(place.folder);
      await place.reaper.ready(); // before it runs: the reaper finds it by its mark, too
      const holdFile = join(place.folder, `${toKey(command.taskId)}.${(runCount += 1)}`);
      return { ...place, hold: openSync(holdFile, 'wx', 0o600) };
    } catch (error) {
      throw new ServiceStartError(command, toStartError(error));
    }
  }

  async function serve(command: ServiceCommand, run: Run): Promise<Service> {
    const { hold, reaper } = await prepareService(command);
    const { taskId, cwd } = command;
    const marked = shellEnvironment(command.env, { mark: `${mark}/${toKey(taskId)};`, cwd });
    let service: Service;
    try {
      if (run.ending.signal.aborted) throw new KeeperClosedError();
      service = await startService({ ...command, env: marked }, hold);
    } finally {
      closeSync(hold); // its processes have it open
    }
    reaper.add(service.pid);
    void service.ended.then(() => reaper.remove(service.pid));
    const text = [command.command, ...command.args].join(' ');
    run.live = { pid: service.pid, taskId, command: text, startedAt: Date.now() };
    run.ending.signal.addEventListener('abort', service.kill);
    if (run.ending.signal.aborted) service.kill();
    return service;
  }

  /** Ends the runs, then what still matches. */
  async function endAll(
    ending: readonly Run[],
    matches: (found: FoundProcess) => boolean,
  ): Promise<number> {
    const table = (await getGround().catch(() => undefined))?.table; // without ground nothing could start
    const before =
      table === undefined ? ending.length : (await table.look()).filter(matches).length;
    for (const run of ending) run.ending.abort();
    await Promise.allSettled(ending.map((run) => run.settled)); // whoever ran it gets its error
    return before + (table === undefined ? 0 : await sweep(table, matches));
  }

  return {
    run(command) {
      if (closing !== undefined) return Promise.reject(new KeeperClosedError());
      taskIds.add(command.taskId);
      const run: Run = { taskId: command.taskId, ending: new AbortController() };
      runs.add(run);
      const result = start(command, run).finally(() => runs.delete(run));
      run.settled = result;
      return result.then((ended) => {
        const { taskId } = command;
        if (![...runs].some((other) => other.taskId === taskId)) taskIds.delete(taskId); // all gone
        return ended;
      });
    },
    startService(command) {
      if (closing !== undefined) return Promise.reject(new KeeperClosedError());
      taskIds.add(command.taskId);
      const run: Run = { taskId: command.taskId, ending: new AbortController() };
      runs.add(run);
      const service = serve(command, run);
      run.settled = service.then(({ ended }) => ended).finally(() => runs.delete(run));
      run.settled.catch(() => {}); // whoever started it gets the error
      return service;
    },
    async sweep(taskId) {
      if (!taskIds.has(taskId)) return 0;
      const key = toKey(taskId);
      const ended = await endAll(
        [...runs].filter((run) => run.taskId === taskId),
        (found) => found.keys.has(key),
      );
      if (![...runs].some((run) => run.taskId === taskId)) taskIds.delete(taskId);
      return ended;
    },
    list: () => [...runs].flatMap(({ live }) => (live === undefined ? [] : [live])),
    containment: async () => (await getLaunch()).containment,
    close() {
      closing ??= (async () => {
        if (ground === undefined) return 0;
        const ended = await endAll([...runs], (found) => found.keys.size > 0);
        const place = await ground.catch(() => undefined);
        await place?.reaper.dismiss();
        if (place !== undefined) rmSync(place.folder, { recursive: true, force: true });
        return ended;
      })();
      return closing;
    },
  };
}

/** A task id as it can stand in a mark and in a file name. */
function toKey(taskId: string): string {
  return encodeURIComponent(taskId).replaceAll('.', '%2E');
}

function orNotStarted<T>(prepareStart: () => T): T {
  try {
    return prepareStart();
  } catch (error) {
    throw toStartError(error);
  }
}

/** bash expands the value of BASH_ENV as if it stood in double quotes. */
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
