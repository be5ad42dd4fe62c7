import type { RunCommand } from '../command.js';
import { waitingRequests } from '../control/waiting-requests.js';
import { watchRunning } from '../control/watch-running.js';

/**
 * `troupe requests`: print the permission requests, questions and plans that wait for a decision, whole.
 *
 * @returns the exit code: 1 if a troupe does not answer
 */
export const run: RunCommand = (line, world) => {
  return watchRunning(line.given, world, {
    async toJson({ seen }) {
      return (await waitingRequests(seen)).map(({ troupe: { owner, cwd }, request }) => {
        const { facts: _, ...told } = request;
        return { pid: owner.pid, cwd, ...told };
      });
    },
    async toLines({ seen, width, watches }) {
      const waiting = await waitingRequests(seen);
      if (waiting.length === 0) return [watches ? `${NOTHING} Ctrl-C ends.` : NOTHING];
      const { describeWaiting } = await import('../control/describe-waiting.js');
      const blocks = waiting.map((one) => describeWaiting(one, { width, now: Date.now() }));
      return (await Promise.all(blocks)).flat();
    },
  });
};

const NOTHING = 'No request waits for a decision.';
