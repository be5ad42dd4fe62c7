import { closeSync, openSync } from 'node:fs';
import { markOf, preludeIn, restoreFolder, type Ground } from './ground.js';
import type { Confined, Sandbox } from './sandbox/sandbox.js';
import {
  ServiceStartError,
  startService,
  type Service,
  type ServiceCommand,
} from './run/service.js';
import { shellEnvironment } from './start/shell-environment.js';
import { ProcessSupervisorClosedError, toStartError } from './start/shell-errors.js';
import type { TaskRun } from './task-runs.js';
import { onAbort } from '../core/on-abort.js';

/**
 * Start a service that carries the mark of its task. The reaper watches it from its start to its end.
 *
 * @param run ends the service, and gets the process
 * @throws ServiceStartError, ProcessSupervisorClosedError
 */
export async function startMarkedService(
  command: ServiceCommand,
  run: TaskRun,
  { getGround, sandbox }: { getGround(): Promise<Ground>; sandbox(): Sandbox | undefined },
): Promise<Service> {
  const { ground, hold } = await prepare(command, getGround);
  const { reaper } = ground;
  const { taskId, cwd } = command;
  let confined: Confined | undefined;
  let service: Service;
  try {
    if (run.ending.signal.aborted) throw new ProcessSupervisorClosedError();
    confined = confine(command, ground, sandbox);
    reaper.addLitter(confined?.litter ?? []);
    const own = { ...(confined?.env ?? command.env), ...(confined && command.confine?.env) };
    const env = shellEnvironment(own, { mark: markOf(ground, taskId), cwd });
    const hasOwnStderr = confined?.launch.containment === 'pid-namespace';
    const prefix = confined?.launch.prefix ?? [];
    service = await startService({ ...command, env }, { hold, prefix, hasOwnStderr });
  } catch (error) {
    confined?.release();
    throw error;
  } finally {
    closeSync(hold); // its processes have their own copy
  }
  reaper.add(service.pid);
  void service.ended.then(() => {
    reaper.remove(service.pid);
    return confined?.release();
  });
  const text = [command.command, ...command.args].join(' ');
  run.live = { pid: service.pid, taskId, command: text, startedAt: Date.now() };
  onAbort(run.ending.signal, service.kill);
  return service;
}

/** @throws ServiceStartError if the sandbox does not work */
function confine(
  command: ServiceCommand,
  { launch, folder, mark }: Ground,
  sandbox: () => Sandbox | undefined,
): Confined | undefined {
  if (command.confine === undefined) return undefined;
  const { cwd, env } = command;
  const prelude = preludeIn(folder);
  try {
    return sandbox()?.confine({
      launch,
      folder,
      prelude,
      holder: mark,
      cwd,
      workspace: [],
      readable: cwd,
      env,
    });
  } catch (error) {
    throw new ServiceStartError(command, toStartError(error));
  }
}

/** The reaper starts before the service: it finds the service by its mark, too. */
async function prepare(
  command: ServiceCommand,
  getGround: () => Promise<Ground>,
): Promise<{ readonly ground: Ground; readonly hold: number }> {
  try {
    const ground = await getGround();
    restoreFolder(ground.folder);
    await ground.reaper.ready();
    return { ground, hold: openSync(ground.newHoldFile(command.taskId), 'wx', 0o600) };
  } catch (error) {
    throw new ServiceStartError(command, toStartError(error));
  }
}
