import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from '../arguments/command.js';
import type { SeenTroupe } from '../control/running.js';
import { seeRunning, type World } from '../control/see-running.js';
import { TREE_HEAD, toTreeRows } from '../control/tree-rows.js';
import { createOutputWriter } from '../output-writer.js';
import { toColumns } from './print.js';

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
  const writer = createOutputWriter(process.stdout);
  const redraws = watches && !isJson && process.stdout.isTTY;
  for (;;) {
    const { seen, silent, close } = await seeRunning(world);
    const lines = isJson ? [JSON.stringify(seen.map(toListed))] : toTable(seen, silent);
    await writer.write(`${redraws ? REDRAW : ''}${lines.map((line) => `${line}\n`).join('')}`);
    close();
    const isOver = !watches || writer.isBroken || seen.length + silent === 0;
    if (isOver) return silent === 0 ? 0 : 1;
    await wait(WATCH_EVERY_MS);
  }
}

function toListed({ troupe: { owner, cwd, startedAt }, tree }: SeenTroupe): object {
  return { pid: owner.pid, cwd, startedAt: new Date(startedAt).toISOString(), tree };
}

function toTable(seen: readonly SeenTroupe[], silent: number): readonly string[] {
  if (seen.length === 0) return silent === 0 ? ['No troupe of yours is running.'] : [];
  const rows = seen.flatMap((one) => toTreeRows(one, Date.now()));
  return toColumns([TREE_HEAD, ...rows]);
}
