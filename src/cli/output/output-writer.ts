import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { describeSystemError, printable, printableLine } from '../../api/text.js';
import { hangLine } from './hang-line.js';
import { loadTextWidth, NARROW } from './text-width.js';

/**
 * The only way to stdout and stderr: no control character of a model, a file or a server reaches a terminal.
 * `test/cli/one-writer.test.ts` shows that no other code of the command writes there.
 */
export interface OutputWriter {
  /** Write any text: control characters are spelled out. Resolve when the stream takes more. */
  write(text: string): Promise<void>;
  /**
   * Write one line: a newline in it becomes a blank, so that it cannot forge another line. On a terminal a long line is
   * broken between words, and further lines are indented.
   */
  line(text: string): Promise<void>;
  /** Write whole lines, each broken as `line` does. */
  text(lines: string): Promise<void>;
  /** Write data for programs, such as an answer: byte for byte to a pipe or a file, spelled out on a terminal. */
  data(text: string): Promise<void>;
  /** Write codes of the command itself, such as {@link TERMINAL_CODES}: never text from elsewhere. */
  control(codes: string): Promise<void>;
  /** Write lines, each in one style; plain if `NO_COLOR` is set. */
  lines(lines: readonly StyledLine[]): Promise<void>;
  /** The stream itself, for readline, which draws the line that a person types. */
  readonly stream: TerminalStream;
  readonly isTerminal: boolean;
  /** Width of the terminal; undefined if there is none. */
  readonly columns: number | undefined;
  /** Height of the terminal; undefined if there is none. */
  readonly rows: number | undefined;
  /** The reader is gone: writing does nothing. */
  readonly isBroken: boolean;
}

/** The output of a view that redraws itself at a terminal, and prints lines elsewhere. */
export type ViewOutput = Pick<OutputWriter, 'write' | 'line' | 'control' | 'columns'>;

/** Report why stdout takes nothing more. A reader that is gone (`EPIPE`) is not reported. */
export function warnOfOutput(error: NodeJS.ErrnoException, warn: (line: string) => void): void {
  if (error.code !== 'EPIPE')
    warn(`the output could not be written to stdout: ${describeSystemError(error)}`);
}

export type TerminalStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The styles of the lines of a request, and of a screen. */
export type Style = 'added' | 'removed' | 'dim' | 'strong' | ScreenStyle;
type ScreenStyle =
  'warning' | 'accent' | 'quiet' | 'heading' | 'emphasis' | 'code' | 'selected' | CodeStyle;
/** The styles of the words of a program. */
type CodeStyle = 'keyword' | 'string' | 'number' | 'name';
export type StyledLine = { readonly text: string; readonly style?: Style };

export const STYLE_CODES = {
  added: '\u001b[32m',
  removed: '\u001b[31m',
  dim: '\u001b[2m',
  strong: '\u001b[1m',
  warning: '\u001b[33m',
  accent: '\u001b[36m',
  quiet: '\u001b[90m',
  heading: '\u001b[1;36m',
  emphasis: '\u001b[3m',
  code: '\u001b[36m',
  selected: '\u001b[7m',
  keyword: '\u001b[35m',
  string: '\u001b[32m',
  number: '\u001b[33m',
  name: '\u001b[34m',
} as const satisfies Record<Style, string>;
const PLAIN = '\u001b[0m';

export const TERMINAL_CODES = {
  /** Cursor home, and clear to the end of the screen. */
  redraw: '\u001b[H\u001b[J',
  /** Up by as many lines, and clear all below. */
  eraseLines: (count: number) => (count === 0 ? '' : `\r\u001b[${count}A\u001b[J`),
} as const;

/** @param onBroken called once, if the reader has gone (`EPIPE`) or the stream has failed */
export function openStdout(onBroken?: (error: NodeJS.ErrnoException) => void): OutputWriter {
  return createOutputWriter(process.stdout, onBroken);
}

/** Warnings, progress and permission requests go here. */
export function openStderr(): OutputWriter {
  return createOutputWriter(process.stderr);
}

export function createOutputWriter(
  stream: TerminalStream,
  onBroken?: (error: NodeJS.ErrnoException) => void,
): OutputWriter {
  /** One wait for all writers. */
  let drained: Promise<void> | undefined;
  /** Neither streams of files nor stdout keep their error. */
  let hasFailed = false;
  if (onBroken !== undefined)
    stream.once('error', (error) => {
      hasFailed = true;
      onBroken(error);
    });
  const noteFailure = (error: Error | null | undefined): void => {
    hasFailed ||= error instanceof Error;
  };
  if (!stream.listeners('error').includes(passOver)) stream.on('error', passOver);
  const isBroken = (): boolean =>
    hasFailed || stream.destroyed || (stream.errored ?? null) !== null;
  const drain = async (): Promise<void> => {
    await once(stream, 'drain').catch(passOver);
    drained = undefined;
  };
  const put = async (text: string): Promise<void> => {
    if (text === '' || isBroken()) return;
    if (stream.write(text, noteFailure)) return;
    await (drained ??= drain());
  };
  const isTerminal = stream.isTTY === true;
  const hasColours = isTerminal && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  const paint = ({ text, style }: StyledLine): string => {
    const line = printableLine(text);
    return style === undefined || !hasColours ? line : `${STYLE_CODES[style]}${line}${PLAIN}`;
  };
  const columns = (): number | undefined =>
    isTerminal ? (positive(process.env['COLUMNS']) ?? positive(stream.columns) ?? 80) : undefined;
  const hang = (line: string): string => {
    const width = columns();
    return `${width === undefined ? line : hangLine(line, { width, of: widthOf })}\n`;
  };
  return {
    write: (text) => put(printable(text)),
    line: (text) => put(hang(printableLine(text))),
    text: (lines) => put(printable(lines).split('\n').map(hang).join('')),
    data: (text) => put(isTerminal ? printable(text) : text),
    control: (codes) => put(isTerminal ? codes : ''),
    lines: (lines) => put(lines.map((line) => `${paint(line)}\n`).join('')),
    stream,
    isTerminal,
    get columns() {
      return columns();
    },
    get rows() {
      return isTerminal ? (positive(stream.rows) ?? 24) : undefined;
    },
    get isBroken() {
      return isBroken();
    },
  };
}

/** The library that measures characters that are not narrow, loaded for the first of them; until then each is one column. */
let measure: ((text: string) => number) | undefined;

function widthOf(text: string): number {
  // eslint-disable-next-line no-control-regex -- ASCII needs no library
  if (/^[\u0000-\u007f]*$/.test(text) || NARROW.test(text)) return text.length;
  if (measure !== undefined) return measure(text);
  measure = (other) => [...other].length;
  void loadTextWidth().then(({ of }) => (measure = of));
  return measure(text);
}

/** The reader is gone: `onBroken` handles it, and nothing else can. One listener a stream. */
function passOver(): void {}

/** The size of a terminal, if it has one: a terminal without a window reports 0. */
function positive(size: string | number | undefined): number | undefined {
  const count = Number(size);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}
