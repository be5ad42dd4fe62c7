import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from '../arguments/command.js';
import { TREE_HEAD, toTreeRows } from '../control/tree-rows.js';
import { seeRunning, type World } from '../control/see-running.js';
import { printJson, printLines, toColumns } from './print.js';

type PsCommand = Extract<Command, { type: 'ps' }>;

const WATCH_EVERY_MS = 1_000;
/** Cursor home, and clear to the end of the screen. */
const REDRAW = '\u001B[H\u001B[J';

/**
 * `troupe ps`: everything alive in the troupes of this user, as trees.
 *
 * @returns the exit code: 1 where one of them does not answer
 */
export async function showRunning({ isJson, watches }: PsCommand, world: World): Promise<number> {
  const isScreen = process.stdout.isTTY;
  for (;;) {
    const { seen, silent, close } = await seeRunning(world);
    if (watches && isScreen && !isJson) process.stdout.write(REDRAW);
    if (isJson)
      await printJson([
        seen.map(({ troupe: { owner, cwd, startedAt }, tree }) => ({
          pid: owner.pid,
          cwd,
          startedAt: new Date(startedAt).toISOString(),
          tree,
        })),
      ]);
    else if (seen.length > 0) {
      const rows = seen.flatMap((one) => toTreeRows(one, Date.now()));
      await printLines(toColumns([TREE_HEAD, ...rows]));
    } else if (silent === 0) await printLines(['No troupe of yours is running.']);
    close();
    if (!watches || seen.length + silent === 0) return silent === 0 ? 0 : 1;
    await wait(WATCH_EVERY_MS);
  }
}
