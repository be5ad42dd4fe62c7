import type { RunCommand } from '../command.js';
import type { SeenTroupe } from '../control/running.js';
import { toTreeTable } from '../control/tree-rows.js';
import { watchRunning, type Look } from '../control/watch-running.js';

/**
 * `troupe ps`: print everything that runs in the troupes of this user, as trees.
 *
 * @returns the exit code: 1 if a troupe does not answer
 */
export const run: RunCommand = (line, world) => {
  return watchRunning(line.given, world, {
    toJson: ({ seen }) => Promise.resolve(seen.map(toListed)),
    toLines,
  });
};

function toListed({ troupe: { owner, cwd, startedAt }, tree }: SeenTroupe): object {
  return { pid: owner.pid, cwd, startedAt: new Date(startedAt).toISOString(), tree };
}

const NOTHING = 'No troupe of yours is running.';
const WAITING = `${NOTHING} Waiting for one to start; Ctrl-C ends.`;

async function toLines({ seen, silent, width, watches }: Look): Promise<readonly string[]> {
  if (seen.length === 0) return silent === 0 ? [watches ? WAITING : NOTHING] : [];
  const troupes = seen.map(({ troupe: { owner, cwd, startedAt }, tree }) => {
    return { pid: owner.pid, cwd, startedAt, tree };
  });
  return toTreeTable(troupes, { now: Date.now(), width });
}
