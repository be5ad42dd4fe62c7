import { isatty } from 'node:tty';

/** Whether stdin, stdout and stderr were terminals at the start: Node resets these at the end. */
const TERMINALS = [0, 1, 2].filter((descriptor) => isatty(descriptor));

/**
 * End by SIGHUP if the terminal is gone, as a process without a handler does. Call this last. Node itself would
 * abort with a native stack trace, because it cannot reset such a terminal (`ResetStdio` in its `src/node.cc`).
 */
export function leaveWithTerminal(): void {
  process.on('exit', () => {
    if (TERMINALS.every((descriptor) => isatty(descriptor))) return;
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });
}
