import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MARK_VARIABLE } from '../start/shell-environment.js';
import { sendSignal } from '../start/signals.js';

/** A process that may belong to this supervisor. */
export type FoundProcess = {
  readonly pid: number;
  /** Ticks since boot. If the pid is used again, its new process has another start time. */
  readonly startTime: number;
  readonly group: number;
  readonly session: number;
  /** The keys of the commands whose mark it carries or whose hold file it has open. */
  readonly keys: ReadonlySet<string>;
};

/** Processes read between two turns of the event loop. */
const BATCH = 200;
const TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux

/** The processes in `/proc` that started after the table was made. */
export interface ProcessTable {
  /** Look at all processes, beginning after the call; calls at the same time share one look. */
  look(): Promise<readonly FoundProcess[]>;
}

/**
 * @param mark every environment mark of the supervisor is `<mark>/<key>;`
 * @param folder every hold file of the supervisor is `<folder>/<key>.<number>`
 */
export function createProcessTable(mark: string, folder: string): ProcessTable {
  const since = (Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) - 1) * TICKS_PER_SECOND;
  const markPattern = new RegExp(`${mark}/([^;]*);`, 'g');
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly FoundProcess[]> | undefined;

  async function scan(): Promise<readonly FoundProcess[]> {
    const found: FoundProcess[] = [];
    let read = 0;
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!Number.isInteger(pid) || pid === process.pid) continue;
      read += 1;
      if (read % BATCH === 0) await setImmediate();
      const stat = readStat(pid);
      if (stat === undefined || stat.startTime < since) continue;
      found.push({ pid, ...stat, keys: readKeys(pid) });
    }
    return found;
  }

  function readKeys(pid: number): ReadonlySet<string> {
    const keys = new Set<string>();
    for (const variable of (readText(`/proc/${pid}/environ`) ?? '').split('\0')) {
      if (!variable.startsWith(`${MARK_VARIABLE}=`)) continue;
      for (const [, key] of variable.matchAll(markPattern)) if (key !== undefined) keys.add(key);
    }
    if (keys.size > 0) return keys;
    for (const target of openFiles(pid)) {
      if (!target.startsWith(`${folder}/`)) continue;
      const [key] = basename(target).split('.');
      if (key !== undefined) keys.add(key);
    }
    return keys;
  }

  return {
    look() {
      next ??= (async () => {
        await current;
        await setImmediate(); // callers in the same turn share the look
        const started = scan();
        current = started.catch(() => undefined); // the caller gets the error
        next = undefined;
        return started;
      })();
      return next;
    },
  };
}

/** Send a signal to exactly this process, not to a new one with the same pid. */
export function signalProcess({ pid, startTime }: FoundProcess, signal: NodeJS.Signals): boolean {
  return readStat(pid)?.startTime === startTime && sendSignal(pid, signal);
}

/** The direct children of a process. Empty if the kernel does not list them. */
export function childrenOf(pid: number): readonly number[] {
  const text = readText(`/proc/${pid}/task/${pid}/children`) ?? '';
  return text.split(' ').filter(Boolean).map(Number);
}

/** Undefined for a process that has ended, even if its exit status was not collected. */
function readStat(pid: number): Omit<FoundProcess, 'pid' | 'keys'> | undefined {
  const text = readLine(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The second field is the name in parentheses and may contain anything; numbers follow the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group, session] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  return { group: Number(group), session: Number(session), startTime: Number(fields[19]) };
}

/**
 * Errors for a process that has ended or belongs to another user. After any other error, such as too many open files,
 * nothing is known.
 */
const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

function throwUnlessGone(error: unknown): void {
  if (!GONE.has((error as NodeJS.ErrnoException).code)) throw error;
}

/** Undefined if the process has ended or belongs to another user. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8'); // twice as fast as latin1
  } catch (error) {
    throwUnlessGone(error);
    return undefined;
  }
}

/** Like {@link readText}, for a small file: three times as fast, and a look reads one for every process. */
function readLine(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const bytes = Buffer.allocUnsafe(1_024);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes));
  } catch (error) {
    throwUnlessGone(error);
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function openFiles(pid: number): readonly string[] {
  const targets: string[] = [];
  try {
    for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
      targets.push(readlinkSync(`/proc/${pid}/fd/${descriptor}`));
    }
  } catch (error) {
    throwUnlessGone(error);
  }
  return targets;
}
