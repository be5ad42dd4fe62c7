import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from '../arguments/command.js';
import type { SeenTroupe } from '../control/running.js';
import { seeRunning, type World } from '../control/see-running.js';
import { TREE_HEAD, toTreeRows } from '../control/tree-rows.js';
import { openStdout, TERMINAL_CODES } from '../output-writer.js';
import { fitScreen, toTable, type Column } from '../table.js';

type PsCommand = Extract<Command, { type: 'ps' }>;

const WATCH_EVERY_MS = 1_000;

/**
 * `troupe ps`: everything alive in the troupes of this user, as trees.
 *
 * @returns the exit code: 1 where one of them does not answer
 */
export async function showRunning({ isJson, watches }: PsCommand, world: World): Promise<number> {
  const writer = openStdout();
  const redraws = watches && !isJson && writer.isTerminal;
  for (;;) {
    const { seen, silent, close } = await seeRunning(world);
    if (isJson) await writer.data(`${JSON.stringify(seen.map(toListed))}\n`);
    else {
      const lines = await toLines(seen, silent, writer.columns);
      const shown = redraws ? fitScreen(lines, writer.rows) : lines;
      if (redraws) await writer.control(TERMINAL_CODES.redraw);
      await writer.write(shown.map((line) => `${line}\n`).join(''));
    }
    close();
    const isOver = !watches || writer.isBroken || seen.length + silent === 0;
    if (isOver) return silent === 0 ? 0 : 1;
    await wait(WATCH_EVERY_MS);
  }
}

function toListed({ troupe: { owner, cwd, startedAt }, tree }: SeenTroupe): object {
  return { pid: owner.pid, cwd, startedAt: new Date(startedAt).toISOString(), tree };
}

/** By the names of {@link TREE_HEAD}. */
const COLUMNS: readonly Column[] = [
  { least: 16 },
  {},
  { least: 10 },
  {},
  { isOptional: true },
  { isOptional: true },
  { least: 16 },
];

async function toLines(
  seen: readonly SeenTroupe[],
  silent: number,
  width: number | undefined,
): Promise<readonly string[]> {
  if (seen.length === 0) return silent === 0 ? ['No troupe of yours is running.'] : [];
  const rows = seen.flatMap((one) => toTreeRows(one, Date.now()));
  return toTable([TREE_HEAD, ...rows], { columns: COLUMNS, width });
}
