import { describe, expect, it } from 'vitest';
import {
  createLineNotices,
  MOST_LINE_CHARACTERS,
  MOST_LINES,
  MOST_LINES_A_SECOND,
} from '../../../src/actors/tasks/line-notices.js';
import { createTimers } from '../../../src/actors/services/timers.js';
import type { MonitoredLines } from '../../../src/context/monitor-text.js';
import { createSimulatedTime } from '../../support/simulated-time.js';

/** Notices of text that is written at simulated times. */
function createNotices() {
  const { clock, now, advance } = createSimulatedTime();
  const sent: MonitoredLines[] = [];
  const notices = createLineNotices(createTimers({ clock, now }), (notice) => sent.push(notice));
  return { notices, sent, advance };
}

const numbered = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join('');

describe('createLineNotices', () => {
  it('sends the lines of 200 ms as one notice', () => {
    const { notices, sent, advance } = createNotices();
    notices.write('a\nb\n');
    advance(150);
    notices.write('c\n');
    expect(sent).toEqual([]);
    advance(50);
    expect(sent).toEqual([{ lines: ['a', 'b', 'c'], dropped: 0, isLast: false }]);
    advance(10_000);
    expect(sent).toHaveLength(1);
  });

  it('waits for the end of a line, drops blank lines and a carriage return', () => {
    const { notices, sent, advance } = createNotices();
    notices.write('\n  \nhel');
    advance(1_000);
    notices.write('lo\r\nrest');
    advance(1_000);
    expect(sent).toEqual([{ lines: ['hello'], dropped: 0, isLast: false }]);
  });

  it('sends what is left at the end at once, and nothing afterwards', () => {
    const { notices, sent, advance } = createNotices();
    notices.write('a\nrest');
    notices.end();
    expect(sent).toEqual([{ lines: ['a', 'rest'], dropped: 0, isLast: false }]);
    notices.write('late\n');
    notices.end();
    advance(10_000);
    expect(sent).toHaveLength(1);
  });

  it('sends nothing if there was no line', () => {
    const { notices, sent } = createNotices();
    notices.write('\n\n');
    notices.end();
    expect(sent).toEqual([]);
  });

  it('leaves out the lines above the limit of a second, and says how many, once a second', () => {
    const { notices, sent, advance } = createNotices();
    for (let step = 0; step < 10; step += 1) {
      notices.write(numbered(10, step * 10));
      advance(100);
    }
    advance(200);
    expect(sent.flatMap(({ lines }) => lines)).toEqual(
      numbered(MOST_LINES_A_SECOND).trimEnd().split('\n'),
    );
    expect(sent.map(({ dropped }) => dropped)).toEqual([0, 80]);
    notices.write('later\n');
    advance(200);
    expect(sent.at(-1)).toEqual({ lines: ['later'], dropped: 0, isLast: false });
  });

  it('ends with a notice that is the last one, when the limit of a command is reached', () => {
    const { notices, sent, advance } = createNotices();
    for (let second = 0; second < MOST_LINES / MOST_LINES_A_SECOND + 3; second += 1) {
      notices.write(numbered(MOST_LINES_A_SECOND));
      advance(1_000);
    }
    notices.end();
    expect(sent.flatMap(({ lines }) => lines)).toHaveLength(MOST_LINES);
    expect(sent.filter(({ isLast }) => isLast)).toEqual([sent.at(-1)]);
  });

  it('cuts a long line between characters, and keeps no more of it in memory', () => {
    const { notices, sent, advance } = createNotices();
    notices.write('x'.repeat(MOST_LINE_CHARACTERS - 1));
    for (let part = 0; part < 1_000; part += 1) notices.write('😀'.repeat(100));
    notices.write('\nnext\n');
    advance(200);
    const cut = `${'x'.repeat(MOST_LINE_CHARACTERS - 1)} …`;
    expect(sent).toEqual([{ lines: [cut, 'next'], dropped: 0, isLast: false }]);
  });
});
