import { setTimeout as wait } from 'node:timers/promises';
import type { TaskId } from '../../core/ids.js';
import { isTerminalTaskStatus, type TaskStatus } from '../../core/task-types.js';
import type { Command } from '../arguments/command.js';
import { findTarget } from '../control/find-target.js';
import type { RunningTroupe } from '../control/running.js';
import { seeRunning, type World } from '../control/see-running.js';
import { createOutputWriter } from '../output-writer.js';
import { printable } from '../printable.js';
import { showLog } from './log.js';

type LogsCommand = Extract<Command, { type: 'logs' }>;

const LOOK_EVERY_MS = 250;

/**
 * `troupe logs`: what a live task says: the conversation of an agent, the output of a command.
 *
 * @returns the exit code
 * @throws UsageError where nothing that runs has the name
 */
export async function showOutput(
  { target, follows }: LogsCommand,
  world: World & { readonly cwd: string },
): Promise<number> {
  const { seen, silent, close } = await seeRunning(world);
  try {
    const { troupe, task, agentId, sessionId } = findTarget(seen, target, silent);
    if (agentId === undefined || sessionId === undefined) {
      await printOutput(troupe, task, follows);
      return 0;
    }
    const log = {
      type: 'log',
      session: sessionId,
      agent: agentId,
      isJson: false,
      follows,
    } as const;
    return await showLog(log, world);
  } finally {
    close();
  }
}

async function printOutput(troupe: RunningTroupe, task: TaskId, follows: boolean): Promise<void> {
  const writer = createOutputWriter(process.stdout);
  for (let from = 0; !writer.isBroken;) {
    const read = (await troupe.ask({ method: 'output', task, from })) as Output;
    await writer.write(printable(read.text));
    const isOver = !follows || isTerminalTaskStatus(read.status);
    if (isOver && read.next === from) return;
    if (read.next === from) await wait(LOOK_EVERY_MS);
    from = read.next;
  }
}

/** What a troupe answers to `output`. */
type Output = { readonly text: string; readonly next: number; readonly status: TaskStatus };
