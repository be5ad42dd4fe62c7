import { clearScreenDown, cursorTo, moveCursor, type Interface } from 'node:readline';
import { printable } from '../../../api/text.js';
import { hangLine } from '../../output/hang-line.js';
import type { OutputWriter, StyledLine } from '../../output/output-writer.js';
import type { TextWidth } from '../../output/text-width.js';
import { createWordWrap } from '../../output/word-wrap.js';

export type PromptLineOptions = {
  readonly output: Pick<OutputWriter, 'write' | 'lines' | 'stream' | 'columns'>;
  /** The measure of text: lines are broken between words. */
  readonly width: TextWidth;
  /** The edited line. */
  readonly lines: Interface & { prevRows: number };
  /** The words before the edited line. */
  readonly prompt: () => string;
  /** Whether text is typed or a request is open: new text waits for whole lines. */
  readonly isTyping: () => boolean;
};

/**
 * The edited line, drawn below all text. New text erases it, and draws it again afterwards. Text may end within a line:
 * then the edited line waits for the line's end.
 */
export interface PromptLine {
  /** Draw the edited line from now on. */
  start(): void;
  show(): void;
  /** Erase the edited line while it changes. */
  change(edit: () => void): void;
  /** Note that the edited line was entered: it is text now. */
  enter(): void;
  /** Write text as it arrives, not only whole lines. */
  write(text: string): void;
  /** End the line that `write` has begun, if there is one. */
  endLine(): void;
  /** Write one or several whole lines. */
  print(text: string | readonly StyledLine[]): void;
  /** Erase the edited line and draw it no more. */
  close(): void;
}

export function createPromptLine(options: PromptLineOptions): PromptLine {
  const { output, width, lines, prompt, isTyping } = options;
  const words = createWordWrap(width, () => output.columns);
  /** Text that waits for the end of its line. */
  let held = '';
  let isMidLine = false;
  let isShown = false;
  let isDrawn = false;

  const put = (text: string): void => {
    if (text === '') return;
    void output.write(words.push(text));
    isMidLine = !text.endsWith('\n');
  };
  /** Break a whole line; its further lines are indented. */
  const hang = (line: string): string => {
    const { columns = Infinity } = output;
    return `${hangLine(line, { width: columns, of: (part) => width.of(printable(part)) })}\n`;
  };
  const hide = (): void => {
    if (!isShown) return;
    isShown = false;
    moveCursor(output.stream, 0, -lines.getCursorPos().rows);
    cursorTo(output.stream, 0);
    clearScreenDown(output.stream);
    lines.prevRows = 0;
  };
  const show = (): void => {
    if (isShown || !isDrawn) return;
    if (isMidLine) put('\n');
    isShown = true;
    lines.setPrompt(prompt());
    lines.prompt(true);
  };
  const change = (edit: () => void): void => {
    hide();
    edit();
    show();
  };
  const endLine = (): void => {
    if (held === '' && !isMidLine) return;
    change(() => {
      put(held);
      held = '';
      if (isMidLine) put('\n');
    });
  };
  return {
    start() {
      isDrawn = true;
      show();
    },
    show,
    change,
    enter() {
      isShown = false;
      put(held === '' ? '' : `${held}\n`);
      held = '';
    },
    write(text) {
      held += text;
      const end = isTyping() ? held.lastIndexOf('\n') + 1 : held.length;
      if (end === 0) return;
      hide();
      put(held.slice(0, end));
      held = held.slice(end);
      if (!isMidLine) show();
    },
    endLine,
    print(text) {
      endLine();
      change(() => {
        if (typeof text === 'string') void output.write(text.split('\n').map(hang).join(''));
        else void output.lines(text);
      });
    },
    close() {
      endLine();
      hide();
      isDrawn = false;
    },
  };
}
