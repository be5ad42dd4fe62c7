import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestContext } from 'vitest';
import type { FakeMessagesApi } from '../../../src/testing/fake-messages-api.js';
import { until } from '../../processes/processes.js';
import { COMMAND, PATIENCE_MS } from './troupe-process.js';
import type { Place } from './place.js';

const SCRIPT = 'script';

/** Whether this machine can give a process a terminal: util-linux's `script`, which takes `-e` and `-c`. */
export const HAS_TERMINAL = spawnSync(SCRIPT, ['-qec', 'true', '/dev/null']).status === 0;

/** The command at its own terminal, and the person who sits there. */
export interface TerminalSession {
  /** All that was shown so far, without what only moves the cursor. */
  readonly shown: string;
  /** The same as it came; what the terminal is set to when the command has ended stands last. */
  readonly raw: string;
  /** Keys, as they are sent. */
  type(keys: string): void;
  /** One line and Enter. */
  enter(line: string): void;
  /**
   * Resolves when this was shown after what the last call waited for; rejects when the command ends without it.
   */
  see(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** The terminal goes away, as a window that is closed. Resolves with the exit code of the command. */
  hangUp(): Promise<number>;
  /** Exit code of the command. */
  readonly ended: Promise<number | null>;
}

export const KEYS = { ctrlB: '\u0002', ctrlC: '\u0003', ctrlD: '\u0004' } as const;

/** Starts the command at a terminal; it is hung up when the test ends. */
export function startAtTerminal(
  place: Place,
  args: readonly string[],
  {
    api,
    onTestFinished,
    columns = 200,
  }: {
    readonly api: FakeMessagesApi;
    readonly onTestFinished: TestContext['onTestFinished'];
    readonly columns?: number;
  },
): TerminalSession {
  const folder = mkdtempSync(join(place.temporary, 'terminal-'));
  const at = (name: string): string => join(folder, name);
  const words = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(' ');
  writeFileSync(at('command.sh'), `echo $$ > '${at('pid')}'\nexec ${words}\n`);
  const lines = [
    'trap : HUP', // to tell how the command has ended
    `stty cols ${columns} rows 50`,
    `sh '${at('command.sh')}'`,
    'code=$?',
    `echo $code > '${at('code')}'`,
    'stty -a',
  ];
  writeFileSync(at('terminal.sh'), [...lines, 'exit $code', ''].join('\n'));
  const child = spawn(SCRIPT, ['-qec', `sh '${at('terminal.sh')}'`, '/dev/null'], {
    cwd: place.cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: place.home,
      TROUPE_HOME: place.troupeHome,
      TMPDIR: place.temporary,
      NODE_DISABLE_COMPILE_CACHE: '1',
      TZ: 'UTC',
      TERM: 'xterm',
      CLAUDE_CODE_MCP_STARTUP_WAIT_MS: '60000', // the server of a test may start slowly on a busy machine
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'test',
    },
  });
  let raw = '';
  let seen = 0;
  let isEnded = false;
  const looks = new Set<() => void>();
  const shown = (): string => stripVTControlCharacters(raw);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    for (const look of looks) look();
  });
  child.stdin.on('error', () => {}); // the command may have ended
  const ended = once(child, 'close').then(([code]) => {
    isEnded = true;
    for (const look of looks) look();
    return code as number | null; // as node documents
  });
  onTestFinished(async () => {
    child.kill('SIGKILL'); // what runs at the terminal is hung up
    await ended;
  });

  const type = (keys: string): void => void child.stdin.write(keys);
  return {
    get shown() {
      return shown();
    },
    get raw() {
      return raw;
    },
    type,
    kill: (signal) => void process.kill(Number(readFileSync(at('pid'), 'utf8')), signal),
    async hangUp() {
      child.kill('SIGKILL');
      const codeOf = (): string => readFileSync(at('code'), 'utf8').trim();
      await until('the command has ended', () => existsSync(at('code')) && codeOf() !== '');
      return Number(codeOf());
    },
    enter: (line) => type(`${line}\r`),
    see: (text) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          looks.delete(look);
        };
        const giveUp = (why: string): void => {
          stop();
          reject(new Error(`${why}: ${JSON.stringify(text)}\nshown: ${shown()}`));
        };
        const timer = setTimeout(() => giveUp(`not within ${PATIENCE_MS} ms`), PATIENCE_MS);
        const look = (): void => {
          const from = shown().indexOf(text, seen);
          if (from === -1) {
            if (isEnded) giveUp('the command ended without');
            return;
          }
          seen = from + text.length;
          stop();
          resolve();
        };
        looks.add(look);
        look();
      }),
    ended,
  };
}
