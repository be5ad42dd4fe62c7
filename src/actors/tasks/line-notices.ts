import type { MonitoredLines } from '../../context/monitor-text.js';
import type { Alarm, Stopwatch } from '../services/timers.js';
import { firstChars } from '../../core/text/first-chars.js';

/** Lines that come within this time are one notice. */
const BATCH_MS = 200;
const WINDOW_MS = 1_000;
/** Most lines of one second. */
export const MOST_LINES_A_SECOND = 20;
/** Most lines of one command. */
export const MOST_LINES = 500;
/** Most characters of one line. */
export const MOST_LINE_CHARACTERS = 500;

/** Text in, batches of lines out. Blank lines are no lines. */
export interface LineNotices {
  write(chunk: string): void;
  /** Send what is left, the last line without its end too. Nothing is sent afterwards. */
  end(): void;
}

export function createLineNotices(
  timers: Alarm & Stopwatch,
  send: (notice: MonitoredLines) => void,
): LineNotices {
  const elapsed = timers.stopwatch();
  let begun = '';
  let waiting: string[] = [];
  let dropped = 0;
  let taken = 0;
  let second = { from: -WINDOW_MS, lines: 0 };
  let isOver = false;
  let disarm: (() => void) | undefined;

  const flush = (): void => {
    disarm?.();
    disarm = undefined;
    if (waiting.length + dropped === 0) return;
    isOver ||= taken >= MOST_LINES;
    const notice = { lines: waiting, dropped, isLast: taken >= MOST_LINES };
    waiting = [];
    dropped = 0;
    send(notice);
  };

  const flushInTime = (): void => {
    disarm = undefined;
    const restOfSecond = second.from + WINDOW_MS - elapsed();
    if (waiting.length > 0 || restOfSecond <= 0) flush();
    else arm(restOfSecond); // a notice of nothing but lines that are left out comes once a second
  };

  const arm = (delayMs: number): void => {
    disarm ??= timers.after(delayMs, flushInTime);
  };

  const take = (line: string): void => {
    if (isOver || line.trim() === '') return;
    const now = elapsed();
    if (now - second.from >= WINDOW_MS) second = { from: now, lines: 0 };
    if (second.lines < MOST_LINES_A_SECOND && taken < MOST_LINES) {
      second.lines += 1;
      taken += 1;
      waiting.push(shorten(line));
    } else dropped += 1;
    arm(BATCH_MS);
  };

  return {
    write(chunk) {
      const [first = '', ...others] = chunk.split('\n');
      begun = keep(begun + first);
      for (const next of others) {
        take(begun);
        begun = keep(next);
      }
    },
    end() {
      take(begun);
      begun = '';
      flush();
      isOver = true;
    },
  };
}

/** A long line keeps one character more than is shown, by which its end is known to be missing. */
function keep(line: string): string {
  return line.slice(0, MOST_LINE_CHARACTERS + 1);
}

function shorten(line: string): string {
  const text = line.replace(/\r$/, '');
  if (text.length <= MOST_LINE_CHARACTERS) return text;
  return `${firstChars(text, MOST_LINE_CHARACTERS)} …`;
}
