import type { TypedLine } from '../approval/choices.js';
import type { StyledLine } from '../output-writer.js';
import type { AskPlace } from '../terminal-prompt.js';
import { createTypeAhead, type TypeAhead } from '../interactive/type-ahead.js';
import { EMPTY_EDITOR, edit } from './editor.js';
import type { Key } from './keys.js';
import { plainLine } from './line.js';
import type { Screen } from './screen.js';

/** The place for permission requests: above the editor, whose draft waits. */
export interface AskDialog extends AskPlace {
  readonly typeAhead: TypeAhead;
  /** Take a key while a request is open. */
  takeKey(key: Key): void;
  readonly isOpen: boolean;
  /** The terminal is gone. */
  end(): void;
}

/** Lines of the screen that a request leaves for the typed answer and the status. */
const RESERVED = 6;

export function createAskDialog(
  screen: Screen,
  size: () => { readonly columns: number; readonly rows: number },
): AskDialog {
  let next: ((line: TypedLine | undefined) => void) | undefined;
  let isPasted = false;
  let isEnded = false;
  const typeAhead = createTypeAhead(() => screen.state.editor.text !== '');

  const finish = (lines: readonly StyledLine[]): void => screen.add(lines.map((line) => [line]));
  /** The shown lines become finished: the scrollback keeps what was decided. */
  const settle = (answer?: string): void => {
    const { dialog } = screen.state;
    if (dialog === undefined) return;
    finish(dialog.lines);
    if (answer !== undefined) screen.add([plainLine(`> ${answer}`, 'strong')]);
    screen.update({ dialog: { lines: [], editor: EMPTY_EDITOR } });
  };
  return {
    typeAhead,
    get isOpen() {
      return screen.state.dialog !== undefined;
    },
    async open(announcement, signal) {
      await typeAhead.settle(signal, () =>
        screen.update({
          notice: `${announcement} Send or clear what you type, or press Tab, to see the request.`,
        }),
      );
      isPasted = false;
      screen.update({ dialog: { lines: [], editor: EMPTY_EDITOR }, popup: undefined, notice: '' });
      return {
        get columns() {
          return size().columns;
        },
        show(lines) {
          settle();
          const room = Math.max(size().rows - RESERVED, 4);
          finish(lines.slice(0, -room));
          screen.update({ dialog: { lines: lines.slice(-room), editor: EMPTY_EDITOR } });
          screen.flush(); // what is drawn is what a key decides
        },
        nextLine: () =>
          new Promise((resolve) => {
            if (isEnded) resolve(undefined);
            else next = resolve;
          }),
        close() {
          settle();
          next = undefined;
          screen.update({ dialog: undefined });
        },
      };
    },
    takeKey(key) {
      const { dialog } = screen.state;
      if (dialog === undefined) return;
      if (key.name === 'paste' || key.isBurst) isPasted = true;
      const { state, sent } = edit(dialog.editor, key, []);
      if (sent === undefined) return screen.update({ dialog: { ...dialog, editor: state } });
      const line = { text: sent, isPasted };
      const take = next;
      next = undefined;
      isPasted = false;
      if (take === undefined) return screen.update({ dialog: { ...dialog, editor: EMPTY_EDITOR } });
      settle(sent);
      take(line);
    },
    end() {
      isEnded = true;
      next?.(undefined);
    },
  };
}
