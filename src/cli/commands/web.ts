import type { RunCommand } from '../command.js';
import { isInsideTroupe } from '../../api/control/inside-troupe.js';
import { UsageError } from '../../api/errors.js';
import { portOf } from '../arguments/flag-readers.js';
import { openStdout } from '../output/output-writer.js';
import { exitCodeOf } from '../process/signals.js';
import { showRoom } from '../web/show-room.js';

/**
 * `troupe web`: serve the control room to a browser on this machine, until Ctrl-C.
 *
 * @returns the exit code
 * @throws UsageError if the port cannot be used
 */
export const run: RunCommand = async (line, world) => {
  if (isInsideTroupe(world.env))
    throw new UsageError(
      'troupe web: an agent has started this shell, and agents do not decide. Run it in your own terminal.',
    );
  const out = openStdout();
  const room = await showRoom(world, {
    port: portOf(line),
    opens: line.given.has('--open'),
    isTerminal: out.isTerminal,
  });
  await out.line(`The control room: ${room.address}`);
  await out.line('Only this machine reaches it. Ctrl-C ends the page, and no agent.');
  const signal = await room.untilSignal();
  return signal === 'SIGINT' ? 0 : exitCodeOf(signal);
};
