import { isInsideTroupe } from '../../api/control/inside-troupe.js';
import { UsageError } from '../../api/errors.js';
import type { CommandLine } from '../arguments/command-line.js';
import { countOf } from '../arguments/flag-readers.js';
import type { World } from '../control/see-running.js';
import { browserOf } from '../open-browser.js';
import { openStdout } from '../output-writer.js';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../signals.js';
import { openInBrowser } from '../web/open-in-browser.js';
import { openRoom } from '../web/open-room.js';

/**
 * `troupe web`: serve the control room to a browser on this machine, until Ctrl-C.
 *
 * @returns the exit code
 * @throws UsageError if the port cannot be used
 */
export async function run(line: CommandLine, world: World): Promise<number> {
  if (isInsideTroupe(world.env))
    throw new UsageError(
      'troupe web: an agent has started this shell, and agents do not decide. Run it in your own terminal.',
    );
  const out = openStdout();
  const server = await openRoom(world, countOf(line, '--port', 0) ?? 0);
  await out.line(`The control room: ${server.address}`);
  await out.line('Only this machine reaches it. Ctrl-C ends the page, and no agent.');
  let removeFile = async (): Promise<void> => {};
  if (line.given.has('--open')) {
    const { env } = world;
    const browser = browserOf({ env, platform: process.platform, isTerminal: out.isTerminal });
    if (browser !== undefined) removeFile = await openInBrowser(browser, server.address);
  }
  const signal = await new Promise<EndingSignal>((resolve) => {
    onEndingSignals(async (received) => {
      await Promise.all([server.close(), removeFile()]);
      resolve(received);
    });
  });
  return signal === 'SIGINT' ? 0 : exitCodeOf(signal);
}
