import { constants } from 'node:os';

/** Send a signal; a negative pid means the whole group. False if no process receives it. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // ESRCH: it has ended; EPERM: it belongs to another user
  }
}

/** The name of the signal with this number; undefined if there is none. */
export function signalName(number: number): NodeJS.Signals | undefined {
  const entry = Object.entries(constants.signals).find(([, value]) => value === number);
  return entry?.[0] as NodeJS.Signals | undefined; // its keys are signal names
}
