import { printableLine } from '../../../api/text.js';
import type { Key } from '../keys/keys.js';
import { plainLine, type Line } from '../lines/line.js';
import type { LiveScreen } from '../screen/terminal.js';

/** A row of a list to choose from. */
export type Choice<T> = {
  readonly value: T;
  /** The name, which is shortened if the screen is narrow. */
  readonly name: string;
  /** Facts behind the name. */
  readonly facts: string;
  /** Text that typed words are looked for in. */
  readonly text: string;
};

export type PickListOptions<T> = {
  readonly title: string;
  readonly choices: readonly Choice<T>[];
  /** Lines below the list about the chosen row; they come a moment after the row is chosen. */
  readonly preview?: (value: T) => Promise<readonly Line[]>;
  /** Called once: undefined if the person has left the list. */
  readonly onEnd: (value: T | undefined) => void;
};

type PickTerminal = Pick<LiveScreen, 'show' | 'focus' | 'rows' | 'columns'>;

type List<T> = PickListOptions<T> & {
  readonly terminal: PickTerminal;
  readonly previews: Map<T, readonly Line[]>;
  query: string;
  selected: number;
  isOpen: boolean;
  timer: NodeJS.Timeout | undefined;
};

/** Rows of the screen that the list leaves for everything else. */
const RESERVED = 9;
const PREVIEW_ROWS = 6;
/** A row that the keys only pass is not previewed. */
const REST_MS = 120;

/** Show a list in the live part, and take the keys until a row is chosen: typed words search. */
export function openPickList<T>(terminal: PickTerminal, options: PickListOptions<T>): void {
  const list: List<T> = {
    ...options,
    terminal,
    previews: new Map(),
    query: '',
    selected: 0,
    isOpen: true,
    timer: undefined,
  };
  terminal.focus((key) => takeKey(list, key));
  draw(list);
}

function close<T>(list: List<T>, value: T | undefined): void {
  list.isOpen = false;
  clearTimeout(list.timer);
  list.terminal.focus(undefined);
  list.terminal.show({ tree: undefined });
  list.onEnd(value);
}

function takeKey<T>(list: List<T>, key: Key): boolean {
  if (key.ctrl || key.meta) return false;
  const shown = foundIn(list);
  switch (key.name) {
    case 'escape':
      close(list, undefined);
      return true;
    case 'return': {
      const chosen = shown[list.selected];
      if (chosen !== undefined) close(list, chosen.value);
      return true;
    }
    case 'up':
      list.selected = Math.max(list.selected - 1, 0);
      break;
    case 'down':
      list.selected = Math.max(Math.min(list.selected + 1, shown.length - 1), 0);
      break;
    case 'backspace':
      Object.assign(list, { query: list.query.slice(0, -1), selected: 0 });
      break;
    default:
      if (key.text === '') return true;
      Object.assign(list, { query: list.query + printableLine(key.text), selected: 0 });
  }
  draw(list);
  return true;
}

/** The rows that have every typed word. */
function foundIn<T>({ choices, query }: List<T>): readonly Choice<T>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return choices;
  return choices.filter(({ text }) => {
    const all = text.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

function draw<T>(list: List<T>): void {
  if (!list.isOpen) return;
  const { terminal, title, query, selected, choices, preview } = list;
  const shown = foundIn(list);
  const below = preview === undefined ? [] : previewOf(list, shown[selected]?.value, preview);
  const height = Math.max(terminal.rows - RESERVED - (preview === undefined ? 0 : PREVIEW_ROWS), 3);
  const from = Math.max(Math.min(selected - Math.floor(height / 2), shown.length - height), 0);
  const keys = terminal.columns < 60 ? '↑ ↓ · Enter · Esc' : '↑ ↓ · Enter · Esc · type to search';
  const count = query === '' ? '' : ` · "${query}": ${shown.length} of ${choices.length}`;
  terminal.show({
    tree: [
      [
        { text: `${title}${count}`, isCutFirst: true },
        { text: ` · ${keys}`, style: 'dim' },
      ],
      ...shown.slice(from, from + height).map(({ name, facts }, index): Line => {
        const isSelected = from + index === selected;
        return [
          {
            text: `${isSelected ? '▸' : ' '} ${printableLine(name)}`,
            isCutFirst: true,
            ...(isSelected && { style: 'selected' as const }),
          },
          { text: ` · ${facts}`, style: 'dim' },
        ];
      }),
      ...(shown.length === 0 ? [plainLine('  nothing found', 'dim')] : []),
      ...below,
    ],
  });
}

/** The lines about a row if they are there; otherwise they are read when the keys rest. */
function previewOf<T>(
  list: List<T>,
  value: T | undefined,
  read: (value: T) => Promise<readonly Line[]>,
): readonly Line[] {
  clearTimeout(list.timer);
  if (value === undefined) return [];
  const known = list.previews.get(value);
  if (known !== undefined) return known.slice(0, PREVIEW_ROWS);
  const show = async (): Promise<void> => {
    list.previews.set(value, await read(value));
    draw(list);
  };
  list.timer = setTimeout(() => void show(), REST_MS);
  return [];
}
