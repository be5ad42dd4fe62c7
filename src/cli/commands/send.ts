import type { RunCommand } from '../command.js';
import { findTarget } from '../control/find-target.js';
import { seeRunning } from '../control/see-running.js';
import { printLines } from '../output/print.js';

/**
 * `troupe send`: put a message into an agent's mailbox; it is on disk when the command ends.
 *
 * @returns the exit code
 * @throws UsageError if no running task has the name; TaskFailedError if the task has no conversation
 */
export const run: RunCommand = async ({ words }, world) => {
  const [target = '', text = ''] = words;
  const { seen, silent, close } = await seeRunning(world);
  try {
    const { troupe, task } = findTarget(seen, target, silent);
    await troupe.ask({ method: 'send', task, text });
    await printLines([`The message is in the mailbox of ${task}.`]);
    return 0;
  } finally {
    close();
  }
};
