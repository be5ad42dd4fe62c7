import { constants } from 'node:os';

/** Sends a signal; a negative pid means the whole group. False where nobody is there (any more) to receive it. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // ESRCH: it has ended; EPERM: it is not ours
  }
}

/** The name of the signal with this number; undefined where there is none. */
export function signalName(number: number): NodeJS.Signals | undefined {
  const entry = Object.entries(constants.signals).find(([, value]) => value === number);
  return entry?.[0] as NodeJS.Signals | undefined; // the keys of os.constants.signals
}
