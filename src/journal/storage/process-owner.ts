import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { once } from '../../core/lazily.js';

/** A process, identified by its ID and the time of its start. */
export const ProcessOwner = z.object({
  pid: z.int().positive(),
  /** From /proc: clock ticks since the machine started; null if there is no /proc. */
  startTime: z.string().nullable(),
  hostname: z.string(),
});
export type ProcessOwner = Readonly<z.infer<typeof ProcessOwner>>;

export const thisProcess = once((): ProcessOwner => ({
  pid: process.pid,
  startTime: statOf(process.pid)?.startTime ?? null,
  hostname: hostname(),
}));

/** Whether the process still runs on this machine. A zombie does not. */
export function isAlive({ pid, startTime }: ProcessOwner): boolean {
  const now = statOf(pid);
  if (now !== undefined && HAS_ENDED.has(now.state)) return false;
  if (now !== undefined && startTime !== null) return now.startTime === startTime;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it exists and belongs to another user
  }
}

/** A zombie, and two states of a process that is being removed. */
const HAS_ENDED: ReadonlySet<string> = new Set(['Z', 'X', 'x']);

/** Fields 3 and 22 of /proc/PID/stat; the name before them may contain spaces and brackets. */
function statOf(pid: number): { readonly state: string; readonly startTime: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTime] = [fields[0], fields[19]];
    return state === undefined || startTime === undefined ? undefined : { state, startTime };
  } catch {
    return undefined; // no such process, or no /proc
  }
}
