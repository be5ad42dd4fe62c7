import type { Environment } from '../../api/types.js';
import { setTimeout as wait } from 'node:timers/promises';
import { openStdout, TERMINAL_CODES } from '../output/output-writer.js';
import { fitScreen } from '../output/table.js';
import type { SeenTroupe } from './running.js';
import { seeRunning } from './see-running.js';

const WATCH_EVERY_MS = 1_000;

/** The running troupes, and the place to show them in. */
export type Look = {
  readonly seen: readonly SeenTroupe[];
  /** Number of troupes that do not answer. */
  readonly silent: number;
  /** Columns of the terminal; undefined if stdout is not one. */
  readonly width: number | undefined;
  readonly watches: boolean;
};

/**
 * Print a look at the running troupes; with `--watch` a new one each second: in place at a terminal, elsewhere only if it
 * differs from the last one.
 *
 * @returns the exit code: 1 if a troupe does not answer
 */
export async function watchRunning(
  given: ReadonlySet<string>,
  world: { readonly env: Environment },
  {
    toJson,
    toLines,
  }: {
    readonly toJson: (look: Look) => Promise<unknown>;
    readonly toLines: (look: Look) => Promise<readonly string[]>;
  },
): Promise<number> {
  const isJson = given.has('--json');
  const watches = given.has('--watch');
  const writer = openStdout();
  const redraws = watches && !isJson && writer.isTerminal;
  let last = '';
  for (;;) {
    const { seen, silent, close } = await seeRunning(world);
    const look = { seen, silent, width: writer.columns, watches };
    if (isJson) await writer.data(`${JSON.stringify(await toJson(look))}\n`);
    else {
      const lines = await toLines(look);
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
