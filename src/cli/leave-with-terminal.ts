import { isatty } from 'node:tty';

/** Of stdin, stdout and stderr, as node has found them: it resets these when it ends. */
const TERMINALS = [0, 1, 2].filter((descriptor) => isatty(descriptor));

/**
 * To be called last: a process whose terminal has gone ends by SIGHUP, as it would without a handler. Node itself would
 * abort with a native stack trace, because it cannot reset such a terminal (`ResetStdio` in its `src/node.cc`).
 */
export function leaveWithTerminal(): void {
  process.on('exit', () => {
    if (TERMINALS.every((descriptor) => isatty(descriptor))) return;
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });
}
