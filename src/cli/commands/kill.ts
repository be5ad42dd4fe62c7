import type { RunCommand } from '../command.js';
import type { TaskOutcome } from '../../api/types.js';
import { findTarget } from '../control/find-target.js';
import { seeRunning } from '../control/see-running.js';
import { printLines } from '../output/print.js';

/**
 * `troupe kill`: end a task with everything below it, and wait for its end.
 *
 * @returns the exit code: 1 if the task had ended in another way before
 * @throws UsageError if no running task has the name
 */
export const run: RunCommand = async (line, world) => {
  const [target = ''] = line.words;
  const reason = line.value('--reason') ?? 'killed by troupe kill';
  const { seen, silent, close } = await seeRunning(world);
  try {
    const { troupe, task } = findTarget(seen, target, silent);
    const outcome = (await troupe.ask({ method: 'kill', task, reason })) as TaskOutcome; // the answer to a kill
    await printLines([`${task} ${outcome.status}`]);
    return outcome.status === 'killed' ? 0 : 1;
  } finally {
    close();
  }
};
