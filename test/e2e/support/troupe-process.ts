import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The built command. */
export const COMMAND = join(import.meta.dirname, '../../../dist/cli/main.js');

/** How long a test waits for one thing before it says what is missing. */
export const PATIENCE_MS = 15_000;

/** One line of the stream-json output. */
export type Line = { readonly type: string; readonly [key: string]: unknown };

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of stdout, if they are JSON. */
  readonly lines: readonly Line[];
};

/** The command, running as its own process. */
export interface TroupeProcess {
  readonly pid: number;
  /** JSON lines of stdout so far. */
  readonly lines: readonly Line[];
  /** All of stdout so far. */
  readonly printed: string;
  /** All of stderr so far. */
  readonly warned: string;
  /** Resolves with the first line that fits, also one that has come before; rejects when the process ends without it. */
  line(what: string, fits: (line: Line) => boolean): Promise<Line>;
  /** Calls a function with each further JSON line of stdout. */
  onLine(listener: (line: Line) => void): void;
  /** Writes one JSON line to stdin; a text goes out as it is. */
  send(line: object | string): void;
  endInput(): void;
  /** Reads no more, as `head` does when it has enough. */
  closeOutput(): void;
  /** Reads nothing more until the process has ended, as a program that is stopped. */
  stopReading(): void;
  kill(signal: NodeJS.Signals): void;
  /** Ends the whole process group, as a terminal that goes away would. */
  killGroup(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** Starts the command. It leads its own process group. */
export function startTroupe(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    /** The text of stdin; absent: nothing. */
    readonly input?: string | 'open';
    /** For node itself, in front of the command. */
    readonly nodeFlags?: readonly string[];
    /** The options of `ulimit` before the start: `-n 40`. */
    readonly limit?: string;
  },
): TroupeProcess {
  const { cwd, env, input, nodeFlags = [], limit } = options;
  const words = [process.execPath, ...nodeFlags, COMMAND, ...args];
  const limited = ['sh', '-c', `ulimit ${limit} && exec "$0" "$@"`, ...words];
  const [program = '', ...rest] = limit === undefined ? words : limited;
  const child = spawn(program, rest, {
    cwd,
    env,
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const pid = child.pid as number; // node itself can be started
  child.stdin?.on('error', () => {}); // the command may end before it has read everything
  if (input !== undefined && input !== 'open') child.stdin?.end(input);

  const lines: Line[] = [];
  let stdout = '';
  let stderr = '';
  let unended = '';
  let isEnded = false;
  const looks = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const [last = '', ...whole] = (unended + text).split('\n').reverse();
    unended = last;
    for (const line of whole.reverse()) {
      const parsed = parseLine(line);
      if (parsed !== undefined) lines.push(parsed);
    }
    for (const look of looks) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    isEnded = true;
    for (const look of looks) look();
    return {
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout,
      stderr,
      lines,
    }; // as node documents
  });

  return {
    pid,
    lines,
    get printed() {
      return stdout;
    },
    get warned() {
      return stderr;
    },
    line: (what, fits) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          looks.delete(look);
        };
        const giveUp = (why: string): void => {
          stop();
          reject(new Error(`${why}: ${what}\nstderr: ${stderr}\nstdout: ${stdout}`));
        };
        const timer = setTimeout(() => giveUp(`not within ${PATIENCE_MS} ms`), PATIENCE_MS);
        const look = (): void => {
          const found = lines.find(fits);
          if (found === undefined) {
            if (isEnded) giveUp('the process ended without');
            return;
          }
          stop();
          resolve(found);
        };
        looks.add(look);
        look();
      }),
    onLine(listener) {
      let told = lines.length;
      looks.add(() => lines.slice(told, (told = lines.length)).forEach(listener));
    },
    send: (line) =>
      void child.stdin?.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    endInput: () => void child.stdin?.end(),
    closeOutput: () => void child.stdout?.destroy(),
    stopReading() {
      child.stdout?.pause();
      child.once('exit', () => child.stdout?.resume());
    },
    kill: (signal) => void child.kill(signal),
    killGroup(signal) {
      try {
        process.kill(-pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended: nothing to kill
      }
    },
    ended,
  };
}

export function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line; // looked at by the tests themselves
  } catch {
    return undefined; // a line of another output format
  }
}
