import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  isAlive,
  thisProcess,
  type ProcessOwner,
} from '../../../src/journal/storage/process-owner.js';
import { lockSession, readLock } from '../../../src/journal/sessions/session-lock.js';
import { injectFaults } from '../../faults/support/fs-faults.mjs';
import { createFiles } from '../../support/files.js';
import { until } from '../../processes/processes.js';

/** A folder whose lock says this. */
async function createLocked(owner: ProcessOwner | string): Promise<string> {
  return createFiles({ lock: typeof owner === 'string' ? owner : JSON.stringify(owner) });
}

const ownerIn = (directory: string): unknown =>
  JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'));

function startTimeOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] as string; // it has that many
}

function ownerOf(pid: number): ProcessOwner {
  return { pid, startTime: startTimeOf(pid), hostname: hostname() };
}

/** A process that lives until the test ends. */
function startSleeper(): ChildProcess & { readonly pid: number } {
  const child = spawn('sleep', ['100']);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child as ChildProcess & { readonly pid: number }; // `sleep` can be started
}

/** A process that has ended, and whose parent never asks for its exit status. */
async function createZombie(): Promise<number> {
  const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 100 3<&-'], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [, stdout, , input] = parent.stdio;
  const [line] = (await once(stdout as Readable, 'data')) as [Buffer];
  const pid = Number(line);
  const program = (): string => readFileSync(`/proc/${parent.pid}/comm`, 'latin1');
  await until('its parent is no shell any more', () => program() === 'sleep\n');
  (input as Writable).end();
  await until('it is a zombie', () => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')));
  return pid;
}

describe('the lock of a session', () => {
  it('is held by one at a time, and can be taken again when it is released', async () => {
    const directory = await createFiles({});
    const lock = lockSession(directory);
    expect(ownerIn(directory)).toEqual(thisProcess());
    expect(readLock(directory)).toEqual({ state: 'live', pid: process.pid });
    expect(() => lockSession(directory)).toThrow(`in use by process ${process.pid}.`);
    lock.release();
    expect(readLock(directory)).toBeUndefined();
    lockSession(directory).release();
    expect(fs.readdirSync(directory)).toEqual([]);
  });

  it("is made by one step, and is nobody else's if another one has taken it in between", async () => {
    const other = ownerOf(startSleeper().pid);
    const directory = await createFiles({});
    const { writeFileSync: write } = fs;
    const made: string[] = [];
    fs.writeFileSync = (...[file, ...rest]: Parameters<typeof write>) => {
      made.push(String(file));
      write(file, ...rest);
      if (made.length === 1) write(join(directory, 'lock'), JSON.stringify(other));
    };
    syncBuiltinESMExports();
    try {
      expect(() => lockSession(directory)).toThrow(`in use by process ${other.pid}.`);
    } finally {
      fs.writeFileSync = write;
      syncBuiltinESMExports();
    }
    expect(made[0]).toBe(join(directory, 'lock'));
    expect(ownerIn(directory)).toEqual(other);
    expect(fs.readdirSync(directory)).toEqual(['lock']);
  });

  it('is another name of a lock that the process holds', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => createFiles({})));
    const inodeOf = (directory = ''): number => fs.statSync(join(directory, 'lock')).ino;
    const lock = lockSession(first ?? '');
    const other = lockSession(second ?? '', lock);
    expect(inodeOf(second)).toBe(inodeOf(first));
    lock.release();
    expect(ownerIn(second ?? '')).toEqual(thisProcess());
    lockSession(third ?? '', lock).release(); // the lock is released: there is nothing to name
    other.release();
    expect([first, second, third].flatMap((folder = '') => fs.readdirSync(folder))).toEqual([]);
  });

  it('is a file of its own if the other lock is taken by another process, or it cannot be named', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => createFiles({})));
    const lock = lockSession(first ?? '');
    const { undo } = injectFaults([{ call: 'link', effect: 'EROFS', path: '/lock', nth: 1 }]);
    onTestFinished(undo);
    lockSession(second ?? '', lock);
    undo();
    expect(ownerIn(second ?? '')).toEqual(thisProcess());
    const other = ownerOf(startSleeper().pid);
    writeFileSync(join(first ?? '', 'lock'), JSON.stringify(other));
    lockSession(third ?? '', lock);
    expect(ownerIn(third ?? '')).toEqual(thisProcess());
  });

  it('leaves nothing behind if there was none and it cannot be written', async () => {
    const directory = await createFiles({});
    const { undo } = injectFaults([{ call: 'write', effect: 'half', path: '/lock', nth: 1 }]);
    onTestFinished(undo);
    expect(() => lockSession(directory)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_UNWRITABLE', file: 'lock' }),
    );
    expect(fs.readdirSync(directory)).toEqual([]);
  });

  it('is not taken from a process that lives', async () => {
    const { pid } = startSleeper();
    const directory = await createLocked(ownerOf(pid));
    expect(() => lockSession(directory)).toThrow(`in use by process ${pid}.`);
    expect(ownerIn(directory)).toMatchObject({ pid });
  });

  it('is not taken from a process of another machine, of which nobody here can tell', async () => {
    const directory = await createLocked({ ...thisProcess(), pid: 1, hostname: 'elsewhere' });
    expect(() => lockSession(directory)).toThrow(`process 1 on elsewhere. If it is gone, remove`);
    expect(readLock(directory)?.state).toBe('unknown');
  });

  it.each([
    ['has ended', () => Promise.resolve({ ...thisProcess(), pid: 4_194_304 })],
    ['is a zombie', async () => ownerOf(await createZombie())],
    [
      'is a zombie, if nobody knows when it started',
      async () => ({ ...ownerOf(await createZombie()), startTime: null }),
    ],
    [
      'has ended, and whose number another one has now',
      () => Promise.resolve({ ...ownerOf(startSleeper().pid), startTime: '1' }),
    ],
  ])('is taken from a process that %s', async (_, createOwner) => {
    const owner = await createOwner();
    expect(isAlive(owner)).toBe(false);
    const directory = await createLocked(owner);
    expect(readLock(directory)?.state).toBe('stale');
    const lock = lockSession(directory);
    expect(ownerIn(directory)).toEqual(thisProcess());
    lock.release();
  });

  it.each(['', '{"pid":', '{"pid":"x"}', '{}'])('is taken if it is torn: %j', async (text) => {
    const directory = await createLocked(text);
    expect(readLock(directory)).toEqual({ state: 'stale' });
    lockSession(directory).release();
    expect(existsSync(join(directory, 'lock'))).toBe(false);
  });

  it('stays with another process that has taken it meanwhile', async () => {
    const directory = await createFiles({});
    const lock = lockSession(directory);
    const other = ownerOf(startSleeper().pid);
    writeFileSync(join(directory, 'lock'), JSON.stringify(other));
    lock.release();
    lock.release();
    expect(ownerIn(directory)).toEqual(other);
  });

  it('is put back if another process has replaced a stale one just before it was moved', async () => {
    const other = ownerOf(startSleeper().pid);
    const directory = await createLocked({ ...thisProcess(), pid: 4_194_304 });
    const { renameSync } = fs;
    fs.renameSync = (from, to) => {
      writeFileSync(join(directory, 'lock'), JSON.stringify(other));
      renameSync(from, to);
    };
    syncBuiltinESMExports();
    try {
      expect(() => lockSession(directory)).toThrow(`in use by process ${other.pid}.`);
    } finally {
      fs.renameSync = renameSync;
      syncBuiltinESMExports();
    }
    expect(ownerIn(directory)).toEqual(other);
    expect(fs.readdirSync(directory)).toEqual(['lock']);
  });

  it.each([
    { call: 'write', effect: 'half', path: '/lock\\.' },
    { call: 'link', effect: 'EIO', path: '/lock' },
    { call: 'rename', effect: 'EROFS', path: '/lock' },
  ] as const)('leaves nothing behind if it cannot be made: $call $effect', async (fault) => {
    const stale = { ...thisProcess(), pid: 4_194_304 };
    const directory = await createLocked(stale);
    const { undo } = injectFaults([{ ...fault, nth: 1 }]);
    onTestFinished(undo);
    expect(() => lockSession(directory)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_UNWRITABLE', file: 'lock' }),
    );
    undo();
    expect(fs.readdirSync(directory)).toEqual(['lock']);
    expect(ownerIn(directory)).toEqual(stale);
  });
});
