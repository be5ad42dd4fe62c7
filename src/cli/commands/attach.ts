import type { Folder, RunCommand } from '../command.js';
import { createInterface } from 'node:readline';
import { messageOf, UsageError } from '../../api/errors.js';
import { findTarget, type Target } from '../control/find-target.js';
import { seeRunning } from '../control/see-running.js';
import { showLog } from './log.js';
import { warn } from './print.js';

/**
 * `troupe attach`: follow a running session or agent until it ends. Without `--view`, each line of stdin is a message to
 * it.
 *
 * @returns the exit code
 * @throws UsageError if no running task has the name
 */
export const run: RunCommand = async (line, world) => {
  const [wanted = ''] = line.words;
  const { task, kind, agentId, sessionId } = await lookFor(wanted, world);
  if (sessionId === undefined || agentId === undefined)
    throw new UsageError(`${task} has no conversation: troupe logs ${task} prints its output.`);
  const input = line.given.has('--view') ? undefined : createInterface({ input: process.stdin });
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

async function lookFor(wanted: string, world: Folder): Promise<Target> {
  const { seen, silent, close } = await seeRunning(world);
  try {
    return findTarget(seen, wanted, silent);
  } finally {
    close();
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
