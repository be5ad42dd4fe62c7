import type { Folder, RunCommand } from '../command.js';
import { createInterface } from 'node:readline';
import { messageOf, UsageError } from '../../api/errors.js';
import { findTarget, type Target } from '../control/find-target.js';
import type { SeenTroupe } from '../control/running.js';
import { seeRunning } from '../control/see-running.js';
import { openStdout } from '../output/output-writer.js';
import { showLog } from './log.js';
import { warn } from '../output/print.js';

/**
 * `troupe attach`: follow a running session or agent until it ends. At a terminal it has the live part of a session;
 * elsewhere the log is printed, and each line of stdin is a message, unless `--view` is given.
 *
 * @returns the exit code
 * @throws UsageError if no running task has the name
 */
export const run: RunCommand = async (line, world) => {
  const [wanted = ''] = line.words;
  const isViewOnly = line.given.has('--view');
  const found = await lookFor(wanted, world);
  const { task, kind, agentId, sessionId } = found;
  if (sessionId === undefined || agentId === undefined) {
    found.seen.troupe.close();
    throw new UsageError(`${task} has no conversation: troupe logs ${task} prints its output.`);
  }
  if (process.stdin.isTTY && openStdout().isTerminal) {
    const { attachTerminal } = await import('../attach/attach-terminal.js');
    try {
      await attachTerminal({ ...found, sessionId, agentId }, world.env, { isViewOnly });
      return 0;
    } finally {
      found.seen.troupe.close();
    }
  }
  found.seen.troupe.close();
  const input = isViewOnly ? undefined : createInterface({ input: process.stdin });
  let sent = Promise.resolve();
  input?.on('line', (text) => {
    if (text.trim() !== '') sent = sent.then(() => send(task, text, world));
  });
  try {
    const agent = kind === 'session' ? undefined : agentId;
    return await showLog({ session: sessionId, agent, isJson: false, follows: true }, world);
  } finally {
    input?.close();
    await sent;
  }
};

/** The task with the connection to its process, which is left open. */
async function lookFor(
  wanted: string,
  world: Folder,
): Promise<Target & { readonly seen: SeenTroupe }> {
  const { seen, silent, close } = await seeRunning(world);
  try {
    const target = findTarget(seen, wanted, silent);
    const mine = seen.filter(({ troupe }) => troupe === target.troupe);
    for (const one of seen) if (!mine.includes(one)) one.troupe.close();
    return { ...target, seen: mine[0]! }; // the target is in one of them
  } catch (error) {
    close();
    throw error;
  }
}

async function send(wanted: string, text: string, world: Folder): Promise<void> {
  const { seen, silent, close } = await seeRunning(world);
  try {
    const { troupe, task } = findTarget(seen, wanted, silent);
    await troupe.ask({ method: 'send', task, text });
  } catch (error) {
    warn([`not sent: ${messageOf(error)}`]);
  } finally {
    close();
  }
}
