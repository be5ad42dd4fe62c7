import type { ViewEvent } from './view-event.js';
import { NO_VIEW, reduceView, type ViewState } from './view-state.js';

/** The lines of a session for looks at its earlier times. */
export interface Past {
  /** The state of a time, epoch ms: that of the lines up to it. */
  at(time: number): ViewState;
  /** The time of the next line after a time, or of the last one before it; undefined without lines. */
  next(time: number, direction: -1 | 1): number | undefined;
}

/** Most states that are kept between the first line and the last one. */
const MOST_MARKS = 20;
const LEAST_LINES = 2_000;

/** States are kept on the way: a look at another time costs the lines since the last of them. */
export function createPast(events: readonly ViewEvent[]): Past {
  const lines = inTime(events);
  const step = Math.max(LEAST_LINES, Math.ceil(lines.length / MOST_MARKS));
  const marks: ViewState[] = [NO_VIEW];
  const eventsIn = (from: number, to: number) => lines.slice(from, to).map(({ event }) => event);
  const markAt = (index: number): ViewState => {
    for (let last = marks.length - 1; last < index; last += 1)
      marks.push(reduceView(marks[last] ?? NO_VIEW, eventsIn(last * step, (last + 1) * step)));
    return marks[index] ?? NO_VIEW;
  };
  return {
    at(time) {
      const end = countUpTo(lines, time);
      const mark = Math.floor(end / step);
      return reduceView(markAt(mark), eventsIn(mark * step, end));
    },
    next(time, direction) {
      const end = countUpTo(lines, time);
      if (direction === 1) return lines[end]?.time;
      return lines.slice(0, countUpTo(lines, time - 1)).findLast((line) => line.time > 0)?.time;
    },
  };
}

type Line = { readonly time: number; readonly event: ViewEvent };

/** The lines in the order of their times. Each file keeps its order, and lines that cannot be read come first. */
function inTime(events: readonly ViewEvent[]): readonly Line[] {
  const newest = new Map<string, number>();
  const lines = events.map((event): Line => {
    if (event.file === 'damaged') return { time: 0, event };
    const file =
      event.file === 'agent' ? event.agentId : event.file === 'team' ? event.team : event.file;
    const time = Math.max(newest.get(file) ?? 0, event.entry.timestamp);
    newest.set(file, time);
    return { time, event };
  });
  return lines.toSorted((a, b) => a.time - b.time);
}

/** The number of lines up to a time. */
function countUpTo(lines: readonly Line[], time: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.time ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
