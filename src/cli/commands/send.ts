import type { Command } from '../arguments/command.js';
import { findTarget } from '../control/find-target.js';
import { seeRunning, type World } from '../control/see-running.js';
import { printLines } from './print.js';

type SendCommand = Extract<Command, { type: 'send' }>;

/**
 * `troupe send`: puts a message into an agent's inbox; it is on disk when the command ends.
 *
 * @returns the exit code
 * @throws UsageError where nothing that runs has the name; TaskFailedError where it has no conversation
 */
export async function sendToTarget({ target, text }: SendCommand, world: World): Promise<number> {
  const { seen, silent, close } = await seeRunning(world);
  try {
    const { troupe, task } = findTarget(seen, target, silent);
    await troupe.ask({ method: 'send', task, text });
    await printLines([`The message is in the inbox of ${task}.`]);
    return 0;
  } finally {
    close();
  }
}
