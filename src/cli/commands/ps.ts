import { setTimeout as wait } from 'node:timers/promises';
import type { CommandLine } from '../arguments/command-line.js';
import type { SeenTroupe } from '../control/running.js';
import { seeRunning, type World } from '../control/see-running.js';
import { toTreeTable } from '../control/tree-rows.js';
import { openStdout, TERMINAL_CODES } from '../output-writer.js';
import { fitScreen } from '../table.js';

const WATCH_EVERY_MS = 1_000;

/**
 * `troupe ps`: print everything that runs in the troupes of this user, as trees.
 *
 * @returns the exit code: 1 if a troupe does not answer
 */
export async function run({ given }: CommandLine, world: World): Promise<number> {
  const isJson = given.has('--json');
  const watches = given.has('--watch');
  const writer = openStdout();
  const redraws = watches && !isJson && writer.isTerminal;
  let last = '';
  for (;;) {
    const { seen, silent, close } = await seeRunning(world);
    if (isJson) await writer.data(`${JSON.stringify(seen.map(toListed))}\n`);
    else {
      const lines = await toLines(seen, silent, { width: writer.columns, watches });
      const shown = redraws ? fitScreen(lines, writer.rows) : lines;
      const text = shown.map((line) => `${line}\n`).join('');
      if (redraws) await writer.control(TERMINAL_CODES.redraw);
      if (redraws || text !== last) await writer.write(text);
      last = text;
    }
    close();
    if (!watches || writer.isBroken) return silent === 0 ? 0 : 1;
    await wait(WATCH_EVERY_MS);
  }
}

function toListed({ troupe: { owner, cwd, startedAt }, tree }: SeenTroupe): object {
  return { pid: owner.pid, cwd, startedAt: new Date(startedAt).toISOString(), tree };
}

const NOTHING = 'No troupe of yours is running.';
const WAITING = `${NOTHING} Waiting for one to start; Ctrl-C ends.`;

async function toLines(
  seen: readonly SeenTroupe[],
  silent: number,
  { width, watches }: { readonly width: number | undefined; readonly watches: boolean },
): Promise<readonly string[]> {
  if (seen.length === 0) return silent === 0 ? [watches ? WAITING : NOTHING] : [];
  const troupes = seen.map(({ troupe: { owner, cwd, startedAt }, tree }) => {
    return { pid: owner.pid, cwd, startedAt, tree };
  });
  return toTreeTable(troupes, { now: Date.now(), width });
}
