import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { epochMs } from '../meter.js';
import { describePairs, inMs, measurePairs, ratiosOf } from '../pairs.js';
import { endOf, pathOf, withFake } from '../processes.js';
import type { Row } from '../row.js';
import { withFolder } from '../temporary-folder.js';

const CLI = fileURLToPath(new URL('dist/cli/main.js', import.meta.resolve('troupe/package.json')));

/** From the start of the process to the arrival of its first request. */
export const processStart: Row = {
  name: 'process-start',
  async measure({ pairs }) {
    const times = await measurePairs(pairs, (who) =>
      timeToFirstRequest(who === 'floor' ? [pathOf('bare-start')] : [CLI, '-p', 'hi']),
    );
    return [
      {
        what: 'process start to first request: troupe -p / bare script',
        ...describePairs(times, inMs),
        goal: 'ratio ≤ 1.05',
        judged: { values: ratiosOf(times), limit: 1.05 },
      },
    ];
  },
};

function timeToFirstRequest(command: readonly string[]): Promise<number> {
  return withFake(({ url, report }) =>
    withFolder(async (folder) => {
      const startedAt = epochMs();
      const child = spawn(process.execPath, command, {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          TROUPE_HOME: folder,
          ANTHROPIC_API_KEY: 'bench',
          ANTHROPIC_BASE_URL: url,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const { code, errors } = await endOf(child);
      const [arrivedAt] = (await report()).arrivals;
      if (code !== 0 || arrivedAt === undefined)
        throw new Error(`${command.join(' ')} ended with ${code}:\n${errors}`);
      return arrivedAt - startedAt;
    }),
  );
}
