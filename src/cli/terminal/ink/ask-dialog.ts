import type { TypedLine } from '../../approval/choices.js';
import { menuAnswer, moveMenu, type Menu, type MenuKey } from '../../approval/menu.js';
import type { StyledLine } from '../../output/output-writer.js';
import type { AskPlace, LayLines, OpenPlace } from '../../approval/ask-place.js';
import { createTypeAhead, type TypeAhead } from '../keys/type-ahead.js';
import { EMPTY_EDITOR, edit } from '../editor/editor.js';
import type { Key } from '../keys/keys.js';
import { plainLine } from '../lines/line.js';
import type { Dialog } from '../screen/screen-state.js';
import type { Screen } from '../screen/screen.js';

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
const RESERVED = 7;

export function createAskDialog(
  screen: Screen,
  {
    size,
    isAway,
    edit: editText,
  }: Pick<OpenPlace, 'edit'> & {
    readonly size: () => { readonly columns: number; readonly rows: number };
    /** Whether another program has the terminal. */
    readonly isAway: () => boolean;
  },
): AskDialog {
  let next: ((line: TypedLine | undefined) => void) | undefined;
  let isPasted = false;
  let isEnded = false;
  const typeAhead = createTypeAhead(() => isAway() || screen.state.editor.text !== '');

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
        edit: editText,
        get columns() {
          return size().columns;
        },
        show(lines, menu, lay) {
          settle(screen);
          const room = Math.max(size().rows - RESERVED, 4);
          finish(screen, lines.slice(0, -room));
          screen.update({ dialog: newDialog(lines, room, menu, lay) });
          screen.flush(); // what is drawn is what a key decides
        },
        nextLine: () =>
          new Promise((resolve) => {
            if (isEnded) resolve(undefined);
            else next = resolve;
          }),
        close() {
          settle(screen);
          next = undefined;
          screen.update({ dialog: undefined });
        },
      };
    },
    takeKey(key) {
      const { dialog } = screen.state;
      if (dialog === undefined) return;
      if (key.name === 'paste' || key.isBurst) isPasted = true;
      const { menu, editor } = dialog;
      const move = menu && menuKeyOf(key, editor.text);
      if (move !== undefined)
        return screen.update({ dialog: { ...dialog, menu: menu && moveMenu(menu, move) } });
      const { state, sent: entered } = edit(editor, key, []);
      if (entered === undefined) return screen.update({ dialog: { ...dialog, editor: state } });
      const sent = menu === undefined ? entered : menuAnswer(menu, entered);
      const line = { text: sent, isPasted };
      const take = next;
      next = undefined;
      isPasted = false;
      if (take === undefined) return screen.update({ dialog: { ...dialog, editor: EMPTY_EDITOR } });
      settle(screen, sent);
      take(line);
    },
    end() {
      isEnded = true;
      next?.(undefined);
    },
  };
}

/** The shown lines become finished: the scrollback keeps what was decided. */
function settle(screen: Screen, answer?: string): void {
  const { dialog } = screen.state;
  if (dialog === undefined) return;
  finish(screen, dialog.lines);
  if (answer !== undefined) screen.add([plainLine(`> ${answer}`, 'strong')]);
  screen.update({ dialog: { lines: [], editor: EMPTY_EDITOR } });
}

function finish(screen: Screen, lines: readonly StyledLine[]): void {
  screen.add(lines.map((line) => [line]));
}

/** The last lines of a text as a dialog, with none of its items chosen. */
function newDialog(
  lines: readonly StyledLine[],
  room: number,
  menu: Menu | undefined,
  lay: LayLines | undefined,
): Dialog {
  const hidden = Math.max(lines.length - room, 0);
  return {
    lines: lines.slice(hidden),
    editor: EMPTY_EDITOR,
    menu: menu && { ...menu, from: menu.from - hidden, marked: [] },
    lay: hidden === 0 ? lay : undefined,
  };
}

/** The move of a key in a menu. A blank belongs to typed text if there is some. */
function menuKeyOf({ name }: Key, typed: string): MenuKey | undefined {
  if (name === 'up' || name === 'down') return name;
  return name === 'space' && typed === '' ? name : undefined;
}
