import { stripVTControlCharacters } from 'node:util';
import type { OutputWriter } from '../output-writer.js';
import type { TextWidth } from '../text-width.js';
import type { DrawnFrame, LiveRegion } from './ink-app.js';

type Output = Pick<OutputWriter, 'control' | 'stream' | 'columns'>;

/** The live part of a terminal. Its first frames are drawn by hand, so that the prompt is there before Ink is loaded. */
export interface LivePart {
  /** Write finished text above the part, and draw the part. */
  draw(text: string, frame: DrawnFrame): void;
  /** Load what draws further frames. @param frame the present one */
  load(frame: () => DrawnFrame): Promise<void>;
  /** Erase the part after the terminal has changed its size, and with it how its lines are broken. */
  resize(): void;
  /** Write finished text, and erase the part. */
  close(text: string): void;
}

export function createLivePart(output: Output, measure: TextWidth): LivePart {
  let region: LiveRegion | undefined;
  let openRegion: ((frame: DrawnFrame) => LiveRegion) | undefined;
  let drawn: DrawnFrame | undefined;
  let isMuted = false;
  let isClosed = false;
  /** Number of lines above the cursor, if a frame is drawn by hand. */
  let above: number | undefined;

  const erase = (): void => {
    if (above !== undefined) void output.control(eraseDrawn(above));
    above = undefined;
  };
  return {
    draw(text, frame) {
      drawn = frame;
      region ??= openRegion?.(frame);
      if (region !== undefined) {
        if (text !== '') region.above(text);
        return region.draw(frame);
      }
      erase();
      const { lines, cursor } = frame;
      void output.control(`${text}${lines.join('\n')}${backTo(cursor, lines.length)}`);
      above = cursor.y;
    },
    async load(frame) {
      const { openLiveRegion } = await import('./ink-app.js');
      if (isClosed) return;
      erase();
      openRegion = (first) =>
        openLiveRegion(
          withoutHeight(output, () => isMuted),
          first,
        );
      region = openRegion((drawn = frame()));
    },
    resize() {
      const { columns = 80 } = output;
      isMuted = true; // Ink counts lines as they were
      region?.close();
      isMuted = false;
      region = undefined;
      above = drawn === undefined ? undefined : rowsAbove(drawn, columns, measure);
      erase();
    },
    close(text) {
      isClosed = true;
      if (region !== undefined && text !== '') region.above(text);
      region?.close();
      erase();
      if (region === undefined) void output.control(text);
      region = undefined;
    },
  };
}

/** From the last line of a frame to the cursor's place. */
function backTo({ x, y }: DrawnFrame['cursor'], lines: number): string {
  const up = lines - 1 - y;
  return `${up > 0 ? `\u001b[${up}A` : ''}\r${x > 0 ? `\u001b[${x}C` : ''}`;
}

/** Rows between the top of a frame and the cursor, after a terminal has broken its lines at another width. */
function rowsAbove({ lines, cursor }: DrawnFrame, columns: number, measure: TextWidth): number {
  const before = lines.slice(0, cursor.y);
  const rows = before.map((line) =>
    Math.max(Math.ceil(measure.of(stripVTControlCharacters(line)) / columns), 1),
  );
  return rows.reduce((sum, count) => sum + count, Math.floor(cursor.x / columns));
}

function eraseDrawn(above: number): string {
  return `\r${above > 0 ? `\u001b[${above}A` : ''}\u001b[J`;
}

/** The stream for Ink: it clears the whole screen if it believes that a frame fills the height. */
function withoutHeight(
  { stream, control, columns }: Output,
  isMuted: () => boolean,
): NodeJS.WriteStream {
  const own = {
    isTTY: true,
    get columns() {
      return stream.columns ?? columns ?? 80;
    },
    write: (text: string) => {
      if (!isMuted()) void control(text);
    },
    on: () => own,
    off: () => own,
  };
  return own as unknown as NodeJS.WriteStream; // what Ink uses of it
}
