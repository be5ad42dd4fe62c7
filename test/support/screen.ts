import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import type { TestContext } from 'vitest';
import { until } from '../processes/processes.js';

/** A program in its own terminal, and the screen that a person sees. */
export interface Screen {
  /**
   * The newest rows, as many as the screen has, without the blanks at their ends, and without empty rows at the end. How far a
   * screen has moved up depends on the moments at which it was drawn; these rows do not.
   */
  text(): string;
  /** The same with all lines that have left the screen. */
  all(): string;
  /** Keys, as a terminal sends them. */
  type(keys: string): void;
  /** Resolve when the screen shows the text, or its whole text passes the check. Reject when the program ends without it. */
  waitFor(text: string | ((all: string) => boolean)): Promise<void>;
  /** Resolve when the rows of the screen are these: while it is drawn again, a part of it may be missing. */
  shows(rows: readonly string[], toText?: (text: string) => string): Promise<void>;
  resize(columns: number, rows: number): void;
  /**
   * The same while nothing is on its way to the terminal: what a program has drawn for another size is broken anew by the
   * terminal, at rows that differ from run to run.
   */
  resizeAtRest(columns: number, rows: number): Promise<void>;
  /** The title of the window. */
  readonly title: string;
  /** How often the bell has rung. */
  readonly bells: number;
  /** Codes for the terminal itself that were written, such as `9`, with their text. */
  readonly codes: readonly string[];
  /** Everything that the program has written, with its codes. */
  readonly written: string;
  /** Column and row of the cursor, from 0. */
  readonly cursor: readonly [number, number];
  readonly ended: Promise<number>;
}

export type ScreenOptions = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  readonly onTestFinished: TestContext['onTestFinished'];
  /** How long `waitFor` waits, ms. */
  readonly patienceMs?: number;
};

/** Codes around each frame of a program. */
const FRAME = { begin: '\u001b[?2026h', end: '\u001b[?2026l' } as const;

/** Start a program in a pty. It is killed when the test ends. */
export function openScreen(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env, columns = 80, rows = 24, onTestFinished, patienceMs = 20_000 }: ScreenOptions,
): Screen {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn(program, args, {
    cwd,
    env: { ...env },
    cols: columns,
    rows,
    name: env['TERM'] ?? 'xterm',
  });
  const looks = new Set<() => void>();
  const codes: string[] = [];
  let title = '';
  let bells = 0;
  let written = '';
  let isEnded = false;
  const look = (): void => {
    for (const one of looks) one();
  };
  for (const code of [9, 777])
    terminal.parser.registerOscHandler(code, (data) => {
      codes.push(`${code};${data}`);
      return true;
    });
  terminal.onTitleChange((text) => void (title = text));
  terminal.onBell(() => void (bells += 1));
  terminal.onData((reply) => child.write(reply));
  child.onData((data) => {
    written += data;
    terminal.write(data, look);
  });
  const ended = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) =>
      terminal.write('', () => {
        isEnded = true;
        look();
        resolve(exitCode);
      }),
    );
  });
  onTestFinished(async () => {
    if (!isEnded) child.kill('SIGKILL');
    await ended;
    terminal.dispose();
  });
  const all = (): string => {
    const { active } = terminal.buffer;
    const lines: string[] = [];
    for (let row = 0; row < active.length; row += 1)
      lines.push(active.getLine(row)?.translateToString(true).trimEnd() ?? '');
    return lines.join('\n').trimEnd();
  };
  const newest = (): string => all().split('\n').slice(-terminal.rows).join('\n');
  const wait = (isThere: () => boolean, wanted: () => string): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        looks.delete(check);
      };
      const giveUp = (why: string): void => {
        stop();
        reject(new Error(`${why}:\n${wanted()}\n\nshown:\n${all()}`));
      };
      const timer = setTimeout(() => giveUp(`not within ${patienceMs} ms`), patienceMs);
      const check = (): void => {
        if (isThere()) {
          stop();
          resolve();
        } else if (isEnded) giveUp('the program ended without');
      };
      looks.add(check);
      check();
    });
  const resize = (toColumns: number, toRows: number): void => {
    terminal.resize(toColumns, toRows);
    child.resize(toColumns, toRows);
  };
  return {
    text: newest,
    all,
    type: (keys) => child.write(keys),
    resize,
    async resizeAtRest(toColumns, toRows) {
      for (;;) {
        process.kill(child.pid, 'SIGSTOP');
        await until('it is stopped', () =>
          / T /.test(readFileSync(`/proc/${child.pid}/stat`, 'latin1')),
        );
        for (let before = -1; before !== written.length;) {
          before = written.length;
          await setImmediate(); // what it has written is read
          await setImmediate();
        }
        if (written.lastIndexOf(FRAME.begin) <= written.lastIndexOf(FRAME.end)) break;
        process.kill(child.pid, 'SIGCONT');
        await setImmediate();
      }
      await new Promise<void>((resolve) => terminal.write('', resolve));
      resize(toColumns, toRows);
      process.kill(child.pid, 'SIGCONT');
    },
    get title() {
      return title;
    },
    get bells() {
      return bells;
    },
    codes,
    get written() {
      return written;
    },
    get cursor() {
      return [terminal.buffer.active.cursorX, terminal.buffer.active.cursorY] as const;
    },
    ended,
    waitFor: (wanted) =>
      wait(
        () => (typeof wanted === 'string' ? all().includes(wanted) : wanted(all())),
        () => String(wanted),
      ),
    shows: (wanted, toText = (text) => text) =>
      wait(
        () => toText(newest()) === wanted.join('\n'),
        () => wanted.join('\n'),
      ),
  };
}
