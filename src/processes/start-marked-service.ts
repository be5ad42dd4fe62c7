import { closeSync, openSync } from 'node:fs';
import { markOf, restoreFolder, type Ground } from './ground.js';
import { ServiceStartError, startService, type Service, type ServiceCommand } from './service.js';
import { shellEnvironment } from './shell-environment.js';
import { ProcessSupervisorClosedError, toStartError } from './shell-errors.js';
import type { TaskRun } from './task-runs.js';

/**
 * Start a service that carries the mark of its task. The reaper watches it from its start to its end.
 *
 * @param run ends the service, and gets the process
 * @throws ServiceStartError, ProcessSupervisorClosedError
 */
export async function startMarkedService(
  command: ServiceCommand,
  run: TaskRun,
  getGround: () => Promise<Ground>,
): Promise<Service> {
  const { ground, hold } = await prepare(command, getGround);
  const { reaper } = ground;
  const { taskId, cwd } = command;
  const env = shellEnvironment(command.env, { mark: markOf(ground, taskId), cwd });
  let service: Service;
  try {
    if (run.ending.signal.aborted) throw new ProcessSupervisorClosedError();
    service = await startService({ ...command, env }, hold);
  } finally {
    closeSync(hold); // its processes have their own copy
  }
  reaper.add(service.pid);
  void service.ended.then(() => reaper.remove(service.pid));
  const text = [command.command, ...command.args].join(' ');
  run.live = { pid: service.pid, taskId, command: text, startedAt: Date.now() };
  run.ending.signal.addEventListener('abort', service.kill);
  if (run.ending.signal.aborted) service.kill();
  return service;
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
