import type { CommandLine } from '../arguments/command-line.js';
import { findTarget } from '../control/find-target.js';
import { seeRunning, type World } from '../control/see-running.js';
import { printLines } from './print.js';

/**
 * `troupe send`: puts a message into an agent's inbox; it is on disk when the command ends.
 *
 * @returns the exit code
 * @throws UsageError where nothing that runs has the name; TaskFailedError where it has no conversation
 */
export async function run({ words }: CommandLine, world: World): Promise<number> {
  const [target = '', text = ''] = words;
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
