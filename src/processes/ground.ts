import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Launch } from './start/containment.js';
import { PRELUDE } from './run/hold-file.js';
import { createProcessTable, type ProcessTable } from './cleanup/process-table.js';
import { MARK_VARIABLE } from './start/shell-environment.js';
import { createStandingReaper, type StandingReaper } from './cleanup/standing-reaper.js';
import type { Environment } from '../files/folders.js';

/** Resources of a supervisor from its first command on. */
export type Ground = {
  readonly launch: Launch;
  /** Distinguishes the processes of this supervisor from those of others. */
  readonly mark: string;
  readonly folder: string;
  /** Absent without `/proc`. */
  readonly table: ProcessTable | undefined;
  readonly reaper: StandingReaper;
  /** The path of a file that the next command of the task holds open: a new one each time. */
  newHoldFile(taskId: string): string;
};

export function layGround(
  launch: Launch,
  {
    mark,
    temporaryFolder,
    env,
  }: {
    readonly mark: string;
    readonly temporaryFolder: string;
    readonly env: Environment;
  },
): Ground {
  const folder = join(realpathSync(temporaryFolder), `troupe-${mark}`);
  restoreFolder(folder);
  const table = launch.containment === 'group' ? undefined : createProcessTable(mark, folder);
  const outerMark = env[MARK_VARIABLE];
  const reaper = createStandingReaper({
    mark,
    folder,
    env: {
      PATH: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
      ...(outerMark === undefined ? {} : { [MARK_VARIABLE]: outerMark }),
    },
  });
  let holdFiles = 0;
  return {
    launch,
    mark,
    folder,
    table,
    reaper,
    newHoldFile: (taskId) => join(folder, `${toKey(taskId)}.${(holdFiles += 1)}`),
  };
}

/** Convert a task ID for use in a mark and in a file name. */
export function toKey(taskId: string): string {
  return encodeURIComponent(taskId).replaceAll('.', '%2E');
}

/** The mark in the environment of every process of the task. */
export function markOf({ mark }: Pick<Ground, 'mark'>, taskId: string): string {
  return `${mark}/${toKey(taskId)};`;
}

/** Make the folder and the prelude in it again, if a cleaner of the temporary folder has removed them. */
export function restoreFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const prelude = preludeIn(folder);
  if (!existsSync(prelude)) writeFileSync(prelude, PRELUDE);
}

export function preludeIn(folder: string): string {
  return join(folder, 'prelude');
}
