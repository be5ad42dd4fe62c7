import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'vitest';
import {
  createFakeMessagesApi,
  type FakeMessagesApi,
  type FakeMessagesApiOptions,
} from '../../../src/testing/fake-messages-api.js';
import { callCommand } from './command-host.js';
import { parseLine, startTroupe, type Ended, type TroupeProcess } from './troupe-process.js';

export type StartOptions = {
  readonly api?: FakeMessagesApi;
  readonly env?: Readonly<Record<string, string>>;
  /** The text of stdin; `open` keeps it open; absent: nothing. */
  readonly input?: string;
  /** For node itself, in front of the command. */
  readonly nodeFlags?: readonly string[];
  /** The options of `ulimit` before the start: `-n 40`. */
  readonly limit?: string;
};

export type CallOptions = Pick<StartOptions, 'api' | 'env' | 'input'>;

/** Folders of one test: for the command, its home, its temporary files. Nothing of the outer environment. */
export interface Place {
  readonly cwd: string;
  /** `HOME`: empty. */
  readonly home: string;
  /** `TROUPE_HOME`: is not there before the command makes it. */
  readonly troupeHome: string;
  readonly temporary: string;
  /** Absolute path of a file in the working folder. */
  at(name: string): string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  text(name: string): Promise<string>;
  has(name: string): boolean;
  /** Names of all files below the working folder, sorted. */
  files(): Promise<readonly string[]>;
  /** A fake Messages API, closed when the test ends. */
  api(options: FakeMessagesApiOptions): Promise<FakeMessagesApi>;
  /** Started processes are killed when the test ends. */
  start(args: readonly string[], options?: StartOptions): TroupeProcess;
  run(args: readonly string[], options?: StartOptions): Promise<Ended>;
  /**
   * Runs the built command in a process that has it loaded, which costs a fraction of a start: for what it prints and
   * does. How a process starts, takes signals and ends is shown by {@link run} and {@link start}.
   */
  call(args: readonly string[], options?: CallOptions): Promise<Ended>;
  /** The folder of the only session there is. */
  session(): Promise<string>;
}

/**
 * Makes the folders of a test, which are removed with all that it started when it ends. It takes the test's own hook:
 * tests of one file run at the same time.
 *
 * @param below the folder that they are made in
 */
export async function createPlace(
  onTestFinished: TestContext['onTestFinished'],
  below = tmpdir(),
): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(below, 'e2e-')));
  const cwd = join(folder, 'work');
  const home = join(folder, 'home');
  const temporary = join(folder, 'tmp');
  const troupeHome = join(folder, 'troupe-home');
  await Promise.all([cwd, home, temporary].map((path) => mkdir(path)));
  const processes: TroupeProcess[] = [];
  const apis: FakeMessagesApi[] = [];
  const over = new AbortController();
  const at = (name: string): string => join(cwd, name);

  onTestFinished(async () => {
    over.abort();
    for (const one of processes) one.killGroup('SIGKILL');
    await Promise.all(processes.map((one) => one.ended));
    await Promise.all(apis.map((api) => api.close()));
    // what a killed process has left running may still write for a moment
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  const environment = ({ api, env }: StartOptions): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TROUPE_HOME: troupeHome,
    TMPDIR: temporary,
    NODE_DISABLE_COMPILE_CACHE: '1', // tests look at what is left in that folder
    TZ: 'UTC',
    CLAUDE_CODE_MCP_STARTUP_WAIT_MS: '60000', // the server of a test may start slowly on a busy machine
    ...(api === undefined ? {} : { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test' }),
    ...env,
  });
  const start = (args: readonly string[], options: StartOptions = {}): TroupeProcess => {
    const { input, nodeFlags, limit } = options;
    const started = startTroupe(args, {
      cwd,
      env: environment(options),
      ...(input === undefined ? {} : { input }),
      ...(nodeFlags === undefined ? {} : { nodeFlags }),
      ...(limit === undefined ? {} : { limit }),
    });
    processes.push(started);
    return started;
  };

  return {
    cwd,
    home,
    troupeHome,
    temporary,
    at,
    start,
    async write(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(at(name)), { recursive: true });
        await writeFile(at(name), text);
      }
    },
    text: (name) => readFile(at(name), 'utf8'),
    has: (name) => existsSync(at(name)),
    async files() {
      const entries = await readdir(cwd, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => !entry.isDirectory());
      return files
        .map(({ parentPath, name }) => join(parentPath, name).slice(cwd.length + 1))
        .sort();
    },
    async api(options) {
      const api = await createFakeMessagesApi(options);
      apis.push(api);
      return api;
    },
    run: (args, options) => start(args, options).ended,
    async call(args, { input, ...options } = {}) {
      const env = environment(options);
      const given = { args, cwd, env, ...(input === undefined ? {} : { input }) };
      const ended = await callCommand(given, over.signal);
      const lines = ended.stdout.split('\n').map(parseLine);
      return { ...ended, signal: null, lines: lines.filter((line) => line !== undefined) };
    },
    async session() {
      const projects = join(troupeHome, 'projects');
      const [project = '', ...others] = await readdir(projects);
      const names = await readdir(join(projects, project));
      const [session = '', ...more] = names.filter((name) => !name.endsWith('.jsonl'));
      if (others.length + more.length > 0) throw new Error(`More than one session in ${projects}`);
      return join(projects, project, session);
    },
  };
}
