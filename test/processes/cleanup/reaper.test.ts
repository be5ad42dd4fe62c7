import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startReaper } from '../../../src/processes/cleanup/reaper.js';
import { createStandingReaper } from '../../../src/processes/cleanup/standing-reaper.js';
import { countProcesses, processesWith, until } from '../processes.js';

let folder: string;
let mark: string;
let started: ChildProcess[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'reaper-test-')));
  mark = randomBytes(12).toString('hex');
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
  rmSync(folder, { recursive: true, force: true });
});

/** A process in its own group, which carries no mark. */
function startGroup(): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  started.push(child);
  return child as ChildProcess & { pid: number }; // sleep is everywhere
}

const options = () => ({ mark, folder, env: { PATH: process.env['PATH'] ?? '' } });
const reaperPid = (): number => processesWith(`troupe-reaper\0${mark}`)[0]!; // it was started

describe('the reaper of a host that was killed', () => {
  it('kills the groups that it knows, and not one that has ended and whose number is in use again', async () => {
    const left = startGroup();
    const ended = startGroup();
    const input = { mark, folder, add: [left.pid, ended.pid], remove: [ended.pid] };
    const script = join(import.meta.dirname, '../fixtures', 'reaper-host.mjs');
    spawn(process.execPath, [script, JSON.stringify(input)], { stdio: 'ignore' });
    expect(await once(left, 'exit')).toEqual([null, 'SIGKILL']);
    await until('the reaper has left', () => countProcesses(mark) === 0);
    expect([ended.exitCode, ended.signalCode]).toEqual([null, null]);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('a reaper that is dismissed', () => {
  it('ends without killing anything', async () => {
    const reaper = await startReaper(options());
    const group = startGroup();
    reaper.add(group.pid);
    await reaper.dismiss();
    expect([reaper.isAlive(), countProcesses(mark)]).toEqual([false, 0]);
    expect([group.exitCode, group.signalCode, existsSync(folder)]).toEqual([null, null, true]);
  });

  it('ends in bounded time although it was stopped', async () => {
    const reaper = await startReaper(options());
    process.kill(reaperPid(), 'SIGSTOP');
    await reaper.dismiss();
    expect(countProcesses(mark)).toBe(0);
  });

  it('may have been killed before', async () => {
    const reaper = await startReaper(options());
    process.kill(reaperPid(), 'SIGKILL');
    await reaper.ended;
    await reaper.dismiss();
    expect(reaper.isAlive()).toBe(false);
  });
});

describe('a standing reaper', () => {
  it('is replaced each time that it is killed, while there is a group to kill', async () => {
    const standing = createStandingReaper(options());
    standing.add(startGroup().pid);
    await standing.ready();
    for (let time = 1; time <= 2; time += 1) {
      const killed = reaperPid();
      process.kill(killed, 'SIGKILL');
      await until('another reaper runs', () => ![undefined, killed].includes(reaperPid()));
    }
    await standing.dismiss();
    expect(countProcesses(mark)).toBe(0);
  });

  it('is replaced when somebody needs it', async () => {
    const standing = createStandingReaper(options());
    const { pid } = startGroup();
    standing.add(pid);
    await standing.ready();
    standing.remove(pid);
    process.kill(reaperPid(), 'SIGKILL');
    await until('it has ended', () => countProcesses(mark) === 0);
    await vi.waitFor(async () => {
      await standing.ready(); // the end of a process is reported a moment after it
      expect(countProcesses(mark)).toBe(1);
    });
    await standing.dismiss();
  });

  it('says what kept it from starting, and tries again', async () => {
    const env = { PATH: 'x'.repeat(3_000_000) }; // no process takes an environment of this size
    const standing = createStandingReaper({ ...options(), env });
    const refused = { code: 'SHELL_NOT_STARTED', cause: { code: 'E2BIG' } };
    await expect(standing.ready()).rejects.toMatchObject(refused);
    await expect(standing.ready()).rejects.toMatchObject(refused);
    await standing.dismiss();
  });
});
