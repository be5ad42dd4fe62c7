import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProcessSupervisor } from '../../../src/processes/process-supervisor.js';
import { countProcesses, uniqueSeconds, until } from '../processes.js';

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/stat`);

function startSupervisor() {
  const processes = createProcessSupervisor({ env: process.env });
  onTestFinished(async () => void (await processes.close()));
  const serve = (script: string) =>
    processes.startService({
      taskId: 'mcp:x',
      command: '/bin/sh',
      args: ['-c', script],
      cwd: '/',
      env: process.env,
    });
  return { processes, serve };
}

describe('startService', () => {
  it('talks over pipes, and ends what reads to the end of its input', async () => {
    const { processes, serve } = startSupervisor();
    const service = await serve('cat; exit 4');
    service.stdin.write('hello\n');
    expect(String((await once(service.stdout, 'data'))[0])).toBe('hello\n');
    expect(processes.list()).toEqual([
      expect.objectContaining({
        pid: service.pid,
        taskId: 'mcp:x',
        command: '/bin/sh -c cat; exit 4',
      }),
    ]);
    expect(await service.end()).toEqual({ exitCode: 4, signal: null });
    expect(service.outcome).toEqual({ exitCode: 4, signal: null });
    await until('it is not listed', () => processes.list().length === 0);
  });

  it('ends what listens to no word, and the rest of its group', async () => {
    const seconds = uniqueSeconds();
    const { serve } = startSupervisor();
    const service = await serve(
      `trap "" TERM; sleep ${seconds} & sleep ${seconds}; sleep ${seconds}`,
    );
    await until('it sleeps', () => countProcesses(`sleep\0${seconds}`) === 2);
    expect(await service.end()).toEqual({ exitCode: null, signal: 'SIGKILL' });
    await until('all of it is gone', () => countProcesses(`sleep\0${seconds}`) === 0);
  });

  it('is found by its mark if it has left its group', async () => {
    const seconds = uniqueSeconds();
    const { processes, serve } = startSupervisor();
    const service = await serve(`setsid sleep ${seconds} & exec cat`);
    const sleeps = (): number => countProcesses(`sleep\0${seconds}`);
    await until(
      'it has left and sleeps',
      () => sleeps() === 1 && countProcesses(`setsid\0sleep\0${seconds}`) === 0,
    );
    await service.end();
    expect(sleeps()).toBe(1);
    await processes.sweep('mcp:x');
    expect(sleeps()).toBe(0);
  });

  it('ends with its supervisor, and is refused after that', async () => {
    const { processes, serve } = startSupervisor();
    const { pid } = await serve('exec sleep 1000');
    expect(await processes.close()).toBe(1);
    expect(isAlive(pid)).toBe(false);
    await expect(serve('true')).rejects.toThrow('Troupe is shutting down');
  });

  it('says which program is not there', async () => {
    const { processes } = startSupervisor();
    const command = { taskId: 'x', command: 'no-such-program', args: [], cwd: '/', env: {} };
    await expect(processes.startService(command)).rejects.toThrow(
      '"no-such-program" could not be started: there is no program "no-such-program" on the PATH.',
    );
  });
});
