import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

/** A process, told from a later one of the same number by the time of its start. */
export const ProcessOwner = z.object({
  pid: z.int().positive(),
  /** Of /proc: clock ticks since the machine started; null where there is no /proc. */
  startTime: z.string().nullable(),
  hostname: z.string(),
});
export type ProcessOwner = Readonly<z.infer<typeof ProcessOwner>>;

export function thisProcess(): ProcessOwner {
  return {
    pid: process.pid,
    startTime: startTimeOf(process.pid) ?? null,
    hostname: hostname(),
  };
}

/** Whether it still runs, on this machine. */
export function isAlive({ pid, startTime }: ProcessOwner): boolean {
  const now = startTimeOf(pid);
  if (now !== undefined && startTime !== null) return now === startTime;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it is there, and somebody else's
  }
}

/** Field 22 of /proc/PID/stat; the name before it may have spaces and brackets of its own. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined; // no such process, or no /proc
  }
}
