import { printable } from '../../api/text.js';
import { hangLine } from '../hang-line.js';
import type { OutputWriter } from '../output-writer.js';
import type { TextWidth } from '../text-width.js';
import { fitDialog } from './fit-dialog.js';
import { frameOf } from './frame.js';
import { lineText, paintLine, type Line } from './line.js';
import { createLivePart, type DrawnFrame, type LivePart } from './live-part.js';
import { EMPTY_SCREEN, type ScreenState } from './screen-state.js';

/** Finished lines above, a live part below. */
export interface Screen {
  readonly state: ScreenState;
  /** Change what the live part shows; it is drawn within {@link FRAME_MS}. */
  update(change: Partial<ScreenState>): void;
  /** Draw at once: a key must be seen immediately. */
  flush(): void;
  /** Add finished lines. */
  add(lines: readonly Line[]): void;
  start(): void;
  /** Erase the live part, and draw no more until the next `start`. */
  stop(): void;
}

export type ScreenOptions = {
  readonly output: Pick<OutputWriter, 'control' | 'stream' | 'columns' | 'rows'>;
  readonly measure: TextWidth;
  readonly hasColours: boolean;
  readonly history: () => readonly string[];
};

/** Thirty frames a second. */
const FRAME_MS = 33;
/** The spinner turns while something runs. */
const SPIN_MS = 100;

export function createScreen(options: ScreenOptions): Screen {
  const { output } = options;
  let state = EMPTY_SCREEN;
  let part: LivePart | undefined;
  let finished = '';
  let timer: NodeJS.Timeout | undefined;
  let spinner: NodeJS.Timeout | undefined;

  const takeFinished = (): string => {
    const text = finished;
    finished = '';
    return text;
  };
  const frame = (): DrawnFrame => draw(state, options);
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    part?.draw(takeFinished(), frame());
  };
  const later = (): void => {
    timer ??= setTimeout(flush, FRAME_MS);
  };
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
    add(lines) {
      finished += lines.map((line) => `${hung(line, options)}\n`).join('');
      later();
    },
    start() {
      part = createLivePart(output, options.measure);
      output.stream.on('resize', onResize);
      flush();
      spin();
      void part.load(frame);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      output.stream.off('resize', onResize);
      part?.close(takeFinished());
      part = undefined;
      spin();
    },
  };
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
