import type { RunCommand } from '../command.js';
import { setTimeout as wait } from 'node:timers/promises';
import { userFolders } from '../../api/files/folders.js';
import { isTroupeError } from '../../api/errors.js';
import type { Environment, TaskStatus } from '../../api/types.js';
import { isTerminalTaskStatus } from '../../api/messages.js';
import { readOutput } from '../../api/sessions/journal.js';
import { findTarget, type Target } from '../control/find-target.js';
import { hasEnded } from '../control/running.js';
import { seeRunning } from '../control/see-running.js';
import { openStdout } from '../output/output-writer.js';
import { showLog } from './log.js';

const LOOK_EVERY_MS = 250;

/**
 * `troupe logs`: print the output of a live task: the conversation of an agent, the output of a command.
 *
 * @returns the exit code
 * @throws UsageError if no running task has the name
 */
export const run: RunCommand = async ({ words, given }, world) => {
  const [target = ''] = words;
  const follows = given.has('--follow');
  const { seen, silent, close } = await seeRunning(world);
  try {
    const found = findTarget(seen, target, silent);
    const { agentId, sessionId } = found;
    if (agentId === undefined || sessionId === undefined) {
      await printOutput(found, follows, world);
      return 0;
    }
    return await showLog({ session: sessionId, agent: agentId, isJson: false, follows }, world);
  } finally {
    close();
  }
};

async function printOutput(
  target: Target,
  follows: boolean,
  world: { readonly env: Environment },
): Promise<void> {
  const writer = openStdout();
  for (let from = 0; !writer.isBroken;) {
    const read = await readOn(target, from, world);
    await writer.write(read.text);
    const isOver = !follows || isTerminalTaskStatus(read.status);
    if (isOver && read.next === from) return;
    if (read.next === from) await wait(LOOK_EVERY_MS);
    from = read.next;
  }
}

/** The output of a task from a byte: from its file if its troupe has ended meanwhile. */
async function readOn(
  { troupe, task, sessionId }: Target,
  from: number,
  { env }: { readonly env: Environment },
): Promise<Output> {
  try {
    return (await troupe.ask({ method: 'output', task, from })) as Output;
  } catch (error) {
    const isSilent = isTroupeError(error) && error.code === 'TROUPE_UNREACHABLE';
    if (!isSilent || sessionId === undefined || !(await hasEnded(troupe))) throw error;
    const said = await readOutput(userFolders(env).troupe, { sessionId, task, from });
    return { ...said, status: 'killed' };
  }
}

/** The answer of a troupe to `output`. */
type Output = { readonly text: string; readonly next: number; readonly status: TaskStatus };
