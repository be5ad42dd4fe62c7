import type { TaskOutcome } from '../../core/task-types.js';
import type { Command } from '../arguments/command.js';
import { findTarget } from '../control/find-target.js';
import { seeRunning, type World } from '../control/see-running.js';
import { printLines } from './print.js';

type KillCommand = Extract<Command, { type: 'kill' }>;

/**
 * `troupe kill`: ends a task with everything below it, and waits until it has ended.
 *
 * @returns the exit code: 1 where it had ended in another way before
 * @throws UsageError where nothing that runs has the name
 */
export async function killTarget({ target, reason }: KillCommand, world: World): Promise<number> {
  const { seen, silent, close } = await seeRunning(world);
  try {
    const { troupe, task } = findTarget(seen, target, silent);
    const outcome = (await troupe.ask({ method: 'kill', task, reason })) as TaskOutcome; // what a kill answers
    await printLines([`${task} ${outcome.status}`]);
    return outcome.status === 'killed' ? 0 : 1;
  } finally {
    close();
  }
}
