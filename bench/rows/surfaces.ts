import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawn as spawnPty, type IPty } from '@lydell/node-pty';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import type { BusyJournalInput } from '../processes/busy-journal.js';
import { inTimes } from '../pairs.js';
import type { BusyTerminalInput, BusyTerminalReport } from '../processes/busy-terminal.js';
import { pathOf, runProgram } from '../processes.js';
import type { Line, Row } from '../row.js';
import { median, percentile } from '../statistics.js';
import { withFolder } from '../temporary-folder.js';

const AGENTS = 200;
const LINES_PER_SECOND = 20;
const SESSION = '00000000-0000-4000-8000-000000000001';
const COMMAND = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
/** The part of the time before the first measurement: the page reads what is there, and code gets warm. */
const WARM = 0.4;

/** The work of a surface while it shows a busy session. */
type Surface = (home: string, seconds: number) => Promise<readonly Line[]>;

/** The most minutes that a terminal is measured: only the memory of the page needs a longer time. */
const MOST_TERMINAL_MINUTES = 1;

/** The surfaces while many agents work, one after another: they would compete for the processor. */
export const surfaces: Row = {
  name: 'surfaces',
  async measure({ minutes }) {
    const ofTerminal = Math.min(minutes, MOST_TERMINAL_MINUTES);
    const surfacesOf: readonly (readonly [number, Surface])[] = [
      [ofTerminal, (home, seconds) => measureTerminal(home, seconds, 'its rows')],
      [ofTerminal, (home, seconds) => measureTerminal(home, seconds, 'its tree')],
      [minutes, measurePage],
    ];
    const lines: Line[] = [];
    for (const [long, surface] of surfacesOf)
      lines.push(...(await withFolder((home) => watchBusy(home, long * 60, surface))));
    return lines;
  },
};

const journalIn = (home: string): string => join(home, 'projects', 'busy', SESSION);

async function watchBusy(
  home: string,
  seconds: number,
  surface: Surface,
): Promise<readonly Line[]> {
  const input: BusyJournalInput = {
    directory: journalIn(home),
    sessionId: SESSION,
    agents: AGENTS,
    linesPerSecond: LINES_PER_SECOND,
    seconds: seconds + 5, // the surface starts meanwhile
  };
  const [lines] = await Promise.all([
    surface(home, seconds),
    runProgram<{ readonly written: number }>('busy-journal', input),
  ]);
  return lines;
}

/** The time from a key to its echo, and the processor time of the terminal, with the rows of agents or the open tree. */
async function measureTerminal(
  home: string,
  seconds: number,
  shown: 'its rows' | 'its tree',
): Promise<readonly Line[]> {
  const report = join(home, 'report.json');
  const input: BusyTerminalInput = {
    directory: journalIn(home),
    agents: AGENTS,
    messagesPerSecond: LINES_PER_SECOND,
    seconds,
    warmSeconds: seconds * WARM,
    report,
  };
  const program = spawnPty(process.execPath, [pathOf('busy-terminal'), JSON.stringify(input)], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', TROUPE_HOME: home },
    cols: 120,
    rows: 40,
    name: 'xterm-256color',
  });
  const ended = new Promise<void>((resolve) => program.onExit(() => resolve()));
  const times = await keyTimes(program, { seconds, opensTree: shown === 'its tree', ended });
  const { cores } = JSON.parse(await readFile(report, 'utf8')) as BusyTerminalReport;
  const slow = percentile(times, 95);
  const what = `the terminal with ${shown}, ${AGENTS} agents with ${LINES_PER_SECOND} messages a second each`;
  return [
    {
      what: `${what}: a key to its echo, 95th percentile of ${times.length} (median)`,
      floor: '',
      ours: `${slow.toFixed(1)} ms (${median(times).toFixed(1)} ms)`,
      ratio: '',
      goal: '< 50 ms',
      judged: { values: [slow / 50], limit: 1 },
    },
    {
      what: 'the same: processor time, as a part of one core',
      floor: '',
      ours: cores.toFixed(2),
      ratio: '',
      goal: '< 0.5',
      judged: { values: [cores / 0.5], limit: 1 },
    },
  ];
}

const KEYS = 20;
const CTRL = { t: '\u0014', u: '\u0015' } as const;

/** Press a key every now and then until the program ends; return the times to their echo, ms. */
async function keyTimes(
  program: IPty,
  {
    seconds,
    opensTree,
    ended,
  }: { readonly seconds: number; readonly opensTree: boolean; readonly ended: Promise<void> },
): Promise<readonly number[]> {
  const times: number[] = [];
  let written = '';
  let look = (): void => {};
  program.onData((data) => {
    written += data;
    look();
  });
  const shows = (text: string): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (!written.includes(text)) return;
        look = () => {};
        resolve();
      };
      look();
    });
  const over = new AbortController();
  void ended.then(() => over.abort());
  await Promise.race([ended, delay(seconds * 1_000 * WARM)]);
  if (opensTree) program.write(CTRL.t);
  for (let count = 1; !over.signal.aborted; count = count === KEYS ? 1 : count + 1) {
    await Promise.race([ended, delay(100 + Math.random() * 150)]);
    if (count === 1) program.write(CTRL.u);
    await Promise.race([ended, delay(100)]);
    written = '';
    const from = performance.now();
    program.write('x');
    await Promise.race([ended, shows('x'.repeat(count))]);
    if (!over.signal.aborted) times.push(performance.now() - from);
  }
  return times;
}

/** Frames a second, and the memory of the page and its server after garbage collection. */
async function measurePage(home: string, seconds: number): Promise<readonly Line[]> {
  if (CHROMIUM === undefined) throw new Error('surfaces: Chromium is needed, and not installed.');
  const room = spawn(process.execPath, [COMMAND, 'web'], {
    env: { ...process.env, TROUPE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(await addressOf(room.stdout));
    await page.getByText('w199').first().waitFor();
    const session = await page.context().newCDPSession(page);
    await page.waitForTimeout(seconds * 1_000 * WARM);
    const before = await heapMb(session);
    const frames = await framesPerSecond(page, seconds * 1_000 * (1 - WARM));
    const after = await heapMb(session);
    const what = `the page, ${AGENTS} agents with ${LINES_PER_SECOND} lines a second each`;
    return [
      {
        what: `${what}, ${(seconds / 60).toFixed(1)} minutes: frames a second`,
        floor: '',
        ours: frames.toFixed(0),
        ratio: '',
        goal: '≥ 30',
        judged: { values: [30 / frames], limit: 1 },
      },
      {
        what: `the same: memory of the page at the end, and at ${WARM * 100} % of the time`,
        floor: '',
        ours: `${after.toFixed(0)} MB, ${before.toFixed(0)} MB`,
        ratio: inTimes(after / before),
        goal: 'flat',
        judged: { values: [after / before], limit: 1.25 },
      },
    ];
  } finally {
    await browser.close();
    room.kill('SIGINT');
  }
}

async function addressOf(output: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of output) {
    text += piece.toString();
    const [, address] = /The control room: (\S+)/.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`troupe web printed no address: ${text}`);
}

async function heapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

function framesPerSecond(page: Page, ms: number): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const from = performance.now();
    let frames = 0;
    const next = (now) => {
      frames += 1;
      if (now - from >= ${ms}) resolve((frames * 1000) / (now - from));
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`);
}
