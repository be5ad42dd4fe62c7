import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { TaskId } from '../../core/ids.js';
import { quoted } from '../../core/text/shell-word.js';
import type { ProcessSupervisor } from '../../processes/process-supervisor.js';
import { factsOfEvent, type HookEvent } from '../../settings/schema/hook-events.js';
import type { Environment } from '../../files/folders.js';

/** The environment variables that hooks set for the commands of agents, by `CLAUDE_ENV_FILE`. */
export interface HookEnv {
  /** The file for the hooks of an event; undefined if they set no variables. */
  begin(event: HookEvent): Promise<string | undefined>;
  /** Read the files after the hooks of an event. @returns what is wrong with a file, for people */
  read(taskId: TaskId): Promise<string | undefined>;
  /** The variables; undefined for none. */
  current(): Readonly<Record<string, string>> | undefined;
}

type World = {
  readonly processes: Pick<ProcessSupervisor, 'run'>;
  readonly journal: { pathOf(file: string): string };
  readonly env: () => Environment;
  readonly cwd: string;
};

const TIMEOUT_MS = 30_000;
/** Variables that a shell sets by itself. */
const OWN = ['_', 'SHLVL', 'PWD', 'OLDPWD'];

export function createHookEnv(world: World): HookEnv {
  const name = `hooks/env-${randomUUID()}`;
  const pathOf = (end: string): string => world.journal.pathOf(`${name}${end}`);
  const files = new Set<string>();
  let variables: Readonly<Record<string, string>> | undefined;
  let sizes = '';

  return {
    current: () => variables,
    async begin(event) {
      if (factsOfEvent(event).setsEnv !== true) return undefined;
      const file = pathOf(`-${event}.sh`);
      files.add(file);
      if (event === 'CwdChanged') await rm(file, { force: true }); // a new folder has its own variables
      return file;
    },
    async read(taskId) {
      const filled = [...files].flatMap((file) => {
        const stats = statSync(file, { throwIfNoEntry: false });
        return stats === undefined || stats.size === 0 ? [] : [{ file, stats }];
      });
      const now = filled
        .map(({ file, stats: { size, mtimeMs } }) => `${file} ${size} ${mtimeMs}`)
        .join();
      if (now === sizes) return undefined;
      sizes = now;
      const { set, problem } = await readVariables(
        world,
        taskId,
        pathOf,
        filled.map(({ file }) => file),
      );
      variables = set;
      return problem;
    },
  };
}

/** Let a shell read the files, and compare its variables before and after. */
async function readVariables(
  { processes, env, cwd }: World,
  taskId: TaskId,
  pathOf: (end: string) => string,
  files: readonly string[],
): Promise<{ readonly set?: Readonly<Record<string, string>>; readonly problem?: string }> {
  if (files.length === 0) return {};
  const [before, after, outputFile] = [pathOf('.before'), pathOf('.after'), pathOf('.txt')];
  const lines = [
    `env -0 >${quoted(before)}`,
    'set -a',
    ...files.map((file) => `. ${quoted(file)}`),
    `env -0 >${quoted(after)}`,
  ];
  try {
    const { stderr, isTimedOut } = await processes.run({
      taskId,
      command: lines.join('\n'),
      cwd,
      env: env(),
      timeoutMs: TIMEOUT_MS,
      signal: new AbortController().signal,
      onOutput: () => {},
      outputFile,
      leavesSandbox: true, // hooks have written the files
    });
    const [old, now] = await Promise.all([before, after].map(readDump));
    if (old === undefined || now === undefined || isTimedOut)
      return { problem: `CLAUDE_ENV_FILE cannot be read: ${stderr.trim() || 'it does not end'}` };
    const set = [...now].filter(([name, value]) => !OWN.includes(name) && old.get(name) !== value);
    const problem = stderr.trim();
    return {
      set: Object.fromEntries(set),
      ...(problem === '' ? {} : { problem: `CLAUDE_ENV_FILE: ${problem}` }),
    };
  } finally {
    await Promise.all([before, after, outputFile].map((file) => rm(file, { force: true })));
  }
}

async function readDump(file: string): Promise<ReadonlyMap<string, string> | undefined> {
  if (!existsSync(file)) return undefined;
  const lines = (await readFile(file, 'utf8')).split('\0').filter((line) => line.includes('='));
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
