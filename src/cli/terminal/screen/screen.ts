import { printable } from '../../../api/text.js';
import { hangLine } from '../../output/hang-line.js';
import type { OutputWriter } from '../../output/output-writer.js';
import type { TextWidth } from '../../output/text-width.js';
import { frameOf } from './frame.js';
import { lineText, paintLine, type Line } from '../lines/line.js';
import { createLivePart, type DrawnFrame, type LivePart } from './live-part.js';
import { EMPTY_SCREEN, type ScreenState, type Dialog } from './screen-state.js';

/** Finished lines above, a live part below. */
export interface Screen {
  readonly state: ScreenState;
  /** Change what the live part shows; it is drawn within {@link FRAME_MS}. */
  update(change: Partial<ScreenState>): void;
  /** Draw at once: a key must be seen immediately. */
  flush(): void;
  /** Add finished lines. A function makes them when they are drawn. */
  add(lines: FinishedLines): void;
  /** Draw finished lines after this has settled, or at `stop`: it loads what they need. */
  holdUntil(loading: Promise<void>): void;
  start(): void;
  /** Load what draws further frames: a key that comes meanwhile waits for it. */
  load(): void;
  /** Erase the live part, and draw no more until the next `start`. */
  stop(): void;
}

export type FinishedLines = readonly Line[] | (() => readonly Line[]);

export type ScreenOptions = {
  readonly output: Pick<OutputWriter, 'control' | 'stream' | 'columns' | 'rows'>;
  readonly measure: TextWidth;
  readonly hasColours: boolean;
  readonly history: () => readonly string[];
};

/** Fifteen frames a second; a key is drawn at once. */
const FRAME_MS = 66;
/** The spinner turns while something runs. */
const SPIN_MS = 100;

export function createScreen(options: ScreenOptions): Screen {
  const { output } = options;
  let state = EMPTY_SCREEN;
  let part: LivePart | undefined;
  let timer: NodeJS.Timeout | undefined;
  let spinner: NodeJS.Timeout | undefined;
  let isLoaded = false;

  const frame = (): DrawnFrame => draw(state, options);
  const flush = (): void => {
    followSize();
    clearTimeout(timer);
    timer = undefined;
    part?.draw(finished.take(), frame());
  };
  const later = (): void => {
    timer ??= setTimeout(flush, FRAME_MS);
  };
  const finished = createFinished(options, later);
  const onResize = (): void => {
    part?.resize();
    const { columns = 80 } = output;
    const { dialog } = state;
    if (dialog !== undefined) state = { ...state, dialog: fitDialog(dialog, columns) };
    flush();
  };
  const spin = (): void => {
    const isBusy = state.workingSince !== undefined || state.calls.length > 0;
    if (isBusy && part !== undefined) spinner ??= setInterval(later, SPIN_MS);
    else {
      clearInterval(spinner);
      spinner = undefined;
    }
  };
  const load = (): void => {
    isLoaded = true;
    void part?.load(() => {
      followSize();
      return frame();
    });
  };
  return {
    get state() {
      return state;
    },
    update(change) {
      state = { ...state, ...change };
      spin();
      later();
    },
    flush,
    add: finished.add,
    holdUntil: finished.holdUntil,
    start() {
      part = createLivePart(output, options.measure);
      output.stream.on('resize', onResize);
      flush();
      spin();
      if (isLoaded) load();
    },
    load,
    stop() {
      finished.release();
      clearTimeout(timer);
      timer = undefined;
      output.stream.off('resize', onResize);
      part?.close(finished.take());
      part = undefined;
      spin();
    },
  };
}

/** Finished lines that are not drawn yet. @param onMore called when there are more to draw */
function createFinished(options: ScreenOptions, onMore: () => void) {
  let text = '';
  /** Lines that wait for what they need; undefined if nothing is awaited. */
  let held: FinishedLines[] | undefined;
  let awaited = 0;
  const add = (lines: FinishedLines): void => {
    if (held !== undefined) return void held.push(lines);
    const present = typeof lines === 'function' ? lines() : lines;
    text += present.map((line) => `${hung(line, options)}\n`).join('');
    onMore();
  };
  const release = (): void => {
    const all = held ?? [];
    held = undefined;
    for (const lines of all) add(lines);
  };
  return {
    add,
    release,
    holdUntil(loading: Promise<void>): void {
      held ??= [];
      awaited += 1;
      void loading.finally(() => {
        awaited -= 1;
        if (awaited === 0) release();
      });
    },
    take(): string {
      const taken = text;
      text = '';
      return taken;
    },
  };
}

/**
 * Learn of a new size before a frame is drawn: Node asks the terminal when it handles SIGWINCH, and a frame of the size before
 * would leave parts of itself on the screen.
 */
function followSize(): void {
  process.emit('SIGWINCH');
}

function draw(
  state: ScreenState,
  { output, measure, history, hasColours }: ScreenOptions,
): DrawnFrame {
  const { columns = 80, rows = 24 } = output;
  const size = { columns, rows, now: Date.now(), measure, history };
  const { lines, cursor } = frameOf(state, size);
  return { lines: lines.map((line) => paintLine(line, hasColours)), cursor };
}

/** A line broken between words; a long path or ID stays whole, so that it can be copied. */
function hung(line: Line, { output, measure, hasColours }: ScreenOptions): string {
  const [first] = line;
  const text = printable(lineText(line));
  const { columns: width = 80 } = output;
  if (first === undefined || line.length > 1 || measure.of(text) <= width)
    return paintLine(line, hasColours);
  return hangLine(text, { width, of: measure.of })
    .split('\n')
    .map((part) => paintLine([{ ...first, text: part }], hasColours))
    .join('\n');
}

/** The dialog with its lines laid out for a width. The chosen and the marked items stay. */
function fitDialog(dialog: Dialog, columns: number): Dialog {
  const { lay, menu: before } = dialog;
  if (lay === undefined) return dialog;
  const { lines, menu } = lay(columns);
  return { ...dialog, lines, menu: menu && { marked: [], ...before, ...menu } };
}
