import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { epochMs } from '../meter.js';
import { describePairs, inMs, measurePairs, ratiosOf } from '../pairs.js';
import { endOf, pathOf, withFake } from '../processes.js';
import type { Line, Row } from '../row.js';
import { withFolder } from '../temporary-folder.js';

const CLI = fileURLToPath(new URL('dist/cli/main.js', import.meta.resolve('troupe/package.json')));

/** From the start of the process to the arrival of its first request. */
export const processStart = rowOf('process-start', 0.9, [['troupe -p', [CLI, '-p', 'hi']]]);
export const libraryStart = rowOf('library-start', 0.85, [
  ['a program with the library', [pathOf('troupe-start')]],
  ['the same, without the default tools', [pathOf('troupe-start'), 'bare']],
]);

type Command = readonly string[];

function rowOf(
  name: string,
  limit: number,
  commands: readonly (readonly [string, Command])[],
): Row {
  return {
    name,
    async measure({ pairs }) {
      const lines: Line[] = [];
      for (const [what, command] of commands) {
        const times = await measurePairs(pairs, (who) =>
          timeToFirstRequest(who === 'floor' ? [pathOf('bare-start')] : command),
        );
        lines.push({
          what: `process start to first request: ${what} / bare script`,
          ...describePairs(times, inMs),
          goal: `ratio ≤ ${limit}`,
          judged: { values: ratiosOf(times), limit },
        });
      }
      return lines;
    },
  };
}

function timeToFirstRequest(command: Command): Promise<number> {
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
