/** The choices of a request among its lines, for a screen with arrow keys. Pure. */
import type { StyledLine } from '../output/output-writer.js';

export type MenuItem = {
  /** The line that a person types for this item. */
  readonly value: string;
  /** Number of lines that the item takes. */
  readonly height: number;
  /** Text that is typed while the item is chosen goes with it, as a reason. */
  readonly takesText?: boolean;
  /** Not to be marked together with others. */
  readonly isAlone?: boolean;
};

export type Menu = {
  /** Index of the first line of the first item. */
  readonly from: number;
  readonly items: readonly MenuItem[];
  /** Several items may be marked. */
  readonly isMany: boolean;
};

export type MenuState = Menu & {
  /** Index of the chosen item. At first there is none, so that Enter alone decides nothing. */
  readonly chosen?: number;
  /** Values of the marked items. */
  readonly marked: readonly string[];
};

export type MenuKey = 'up' | 'down' | 'space';

/** The menu after a key. */
export function moveMenu(menu: MenuState, key: MenuKey): MenuState {
  const { items, chosen, isMany } = menu;
  if (key === 'space') return isMany ? mark(menu) : menu;
  const last = items.length - 1;
  if (key === 'up') return { ...menu, chosen: Math.max((chosen ?? items.length) - 1, 0) };
  return { ...menu, chosen: Math.min((chosen ?? -1) + 1, last) };
}

function mark(menu: MenuState): MenuState {
  const item = menu.items[menu.chosen ?? -1];
  if (item === undefined || item.isAlone === true) return menu;
  const { value } = item;
  const isMarked = menu.marked.includes(value);
  const others = menu.marked.filter((one) => one !== value);
  return { ...menu, marked: isMarked ? others : [...others, value] };
}

/** The line that Enter stands for: typed text goes before the chosen item. */
export function menuAnswer({ items, chosen, marked }: MenuState, typed: string): string {
  const item = items[chosen ?? -1];
  if (typed.trim() !== '') return item?.takesText === true ? `${item.value} ${typed}` : typed;
  const values = items.map(({ value }) => value).filter((value) => marked.includes(value));
  return values.length > 0 ? values.join(',') : (item?.value ?? typed);
}

/** The lines with a sign in front of the chosen item and of each marked item. Items begin with four blanks, or with two. */
export function paintMenu(
  lines: readonly StyledLine[],
  { from, items, isMany, chosen, marked }: MenuState,
): readonly StyledLine[] {
  const painted = [...lines];
  let at = from;
  for (const [index, { value, height, isAlone }] of items.entries()) {
    const line = painted[at];
    const isChosen = index === chosen;
    const sign = isChosen ? '❯ ' : '  ';
    const box = !isMany || isAlone === true ? '' : marked.includes(value) ? '✔ ' : '☐ ';
    const margin = sign.length + box.length;
    if (line !== undefined && line.text.slice(0, margin).trim() === '')
      painted[at] = { ...line, text: `${sign}${box}${line.text.slice(margin)}` };
    const next = at + height;
    if (isChosen)
      for (const [row, own] of painted.entries())
        if (row >= at && row < next) painted[row] = { ...own, style: 'accent' };
    at = next;
  }
  return painted;
}
