/** The live region as lines: never more than the rows of the screen. Pure. */
import { paintMenu, type MenuState } from '../../approval/menu.js';
import type { Style } from '../../output/output-writer.js';
import type { TextWidth } from '../../output/text-width.js';
import { editorLines } from '../editor/editor-lines.js';
import { cutLine, lineText, plainLine, wrapLine, type Line } from '../lines/line.js';
import type { Popup } from '../editor/popup.js';
import type { LiveCall, ScreenState, TodoItem } from './screen-state.js';
import { statusLines } from './status-facts.js';

export type FrameOptions = {
  readonly columns: number;
  readonly rows: number;
  /** Epoch ms. */
  readonly now: number;
  readonly measure: TextWidth;
  /** Read only during a search. */
  readonly history: () => readonly string[];
};

export type Frame = {
  readonly lines: readonly Line[];
  readonly cursor: { readonly x: number; readonly y: number };
};

const NO_HISTORY = (): readonly string[] => [];

/** Height of a screen that has room for the rule above the editor. */
const TALL = 12;
/** Width of a screen that has room for a call and its state in whole words. */
const WIDE = 60;
/** Short, so that a window that gets narrower does not break it. */
const RULE = 40;
const MOST = { editor: 8, popup: 8, queued: 3, todos: 6, calls: 10, status: 3, name: 22 } as const;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPIN_MS = 100;
const WAITS = { long: ' · waits for your decision', short: ' · waits for you' } as const;
const WAITS_FOR_TURN = ' · waits';

export function frameOf(state: ScreenState, options: FrameOptions): Frame {
  const { columns, rows, measure } = options;
  const room = Math.max(rows - 1, 2); // the cursor of the terminal needs a line
  const input = inputLines(state, options, room);
  const below = belowInput(state, options, Math.max(room - input.lines.length, 0));
  let left = room - input.lines.length - below.length;
  const rule =
    rows >= TALL && left > 0 ? [plainLine('─'.repeat(Math.min(columns, RULE)), 'quiet')] : [];
  left -= rule.length;
  const above = aboveInput(state, options);
  const kept = takeLast(above, Math.max(left, 0));
  const lines = [...kept, ...rule, ...input.lines, ...below].map((line) =>
    cutLine(line, columns, measure),
  );
  const top = kept.length + rule.length;
  return {
    lines,
    cursor: { x: Math.min(input.cursor.x, columns - 1), y: top + input.cursor.y },
  };
}

function inputLines(
  { dialog, editor, requests }: ScreenState,
  { columns: width, measure, history }: FrameOptions,
  room: number,
): Frame {
  const height = Math.max(Math.min(MOST.editor, room), 1);
  if (dialog === undefined) return editorLines(editor, { width, height, measure, history });
  const typed = editorLines(dialog.editor, { width, height, measure, history: NO_HISTORY });
  const { lines, menu } = dialog;
  const painted = menu === undefined ? lines : paintMenu(lines, menu);
  const hint = dialogHint(menu, requests, width);
  const all = [
    ...painted.map((line) => [line]),
    ...(hint === '' ? [] : [plainLine(`  ${hint}`, 'dim')]),
  ].flatMap((line) => wrapLine(line, { width, measure, indent: marginOf(lineText(line)) }));
  const shown = takeLast(all, Math.max(room - typed.lines.length, 0));
  return {
    lines: [...shown, ...typed.lines],
    cursor: { ...typed.cursor, y: typed.cursor.y + shown.length },
  };
}

/** The margin below a line: its blanks, the bar beside a text of several lines, the width of its number. */
function marginOf(line: string): string {
  const [, blanks = '', mark = ''] = /^(\s*)(│ |(?:[❯☐✔] )*\d+ )?/.exec(line) ?? [];
  return blanks + (mark.startsWith('│') ? mark : ' '.repeat(mark.length));
}

/** The keys of a menu, and the number of requests; in fewer words if the screen has no room. */
function dialogHint(menu: MenuState | undefined, requests: number, columns: number): string {
  const marks = menu?.isMany === true ? ['Space marks'] : [];
  const hint = (count: readonly string[], keys: readonly string[]): string =>
    [...(requests > 1 ? count : []), ...(menu === undefined ? [] : keys)].join(' · ');
  const long = hint([`request 1 of ${requests}`], ['↑ ↓ choose', ...marks, 'Enter decides']);
  if (long.length + 2 <= columns) return long;
  return hint([`1 of ${requests}`], ['↑ ↓', ...marks, 'Enter']);
}

/** The popup, or the status line. */
function belowInput(state: ScreenState, options: FrameOptions, room: number): readonly Line[] {
  const { popup, notice, ownStatus, status, vim } = state;
  if (popup !== undefined) {
    return popupLines(popup, Math.min(MOST.popup, room));
  }
  if (notice !== '') {
    const line = plainLine(`  ${notice}`, 'warning');
    return wrapLine(line, { width: options.columns, measure: options.measure, indent: '  ' }).slice(
      0,
      room,
    );
  }
  const own =
    ownStatus?.map((line) => plainLine(line)) ??
    statusLines(status, state.requests, options.columns);
  return [...vimLines(vim), ...own].slice(0, Math.min(MOST.status, room));
}

/** The mode of vim's keys, and the typed part of a command. */
function vimLines(vim: ScreenState['vim']): readonly Line[] {
  if (vim === undefined) return [];
  return [plainLine(`  ${`${vim.mode.toUpperCase()} ${vim.pending}`.trim()}`, 'quiet')];
}

function popupLines({ candidates, selected }: Popup, height: number): readonly Line[] {
  const isLong = candidates.length > height && height > 1;
  const count = isLong ? height - 1 : height;
  const from = Math.max(selected - count + 1, 0);
  const shown = candidates.slice(from, from + count);
  const column = Math.min(Math.max(...shown.map(({ value }) => value.length)), MOST.name);
  return [
    ...shown.map(({ value, hint }, index): Line => [
      {
        text: `  ${value.padEnd(column)}  `,
        style: index + from === selected ? 'selected' : 'accent',
      },
      { text: hint, style: 'dim' },
    ]),
    ...(isLong ? [plainLine(`  ${selected + 1} of ${candidates.length} · ↑ ↓`, 'dim')] : []),
  ];
}

/** Present work: text that arrives, running calls, the tree, to-do items, waiting prompts. */
function aboveInput(state: ScreenState, options: FrameOptions): readonly Line[] {
  const { tail, tree, calls, agents, todos, queued } = state;
  const started = new Set(agents.map(({ toolUseId }) => toolUseId));
  const running = [
    ...callLines(
      state,
      calls.filter(({ id }) => !started.has(id)),
      options,
    ),
    ...callLines(state, agents, options, '  ', ' · Ctrl-T shows all'),
  ];
  const parts = [
    ...(tree ?? running),
    ...(tree === undefined ? todoLines(todos) : []),
    ...workingLine(state, options),
    ...queued.slice(-MOST.queued).map((text) => plainLine(`  (queued) > ${text}`, 'dim')),
  ];
  return parts.length === 0 ? tail : [...tail, ...parts];
}

/** Columns behind the verb: the time, and the key that interrupts. */
const AFTER_VERB = 32;

function workingLine(
  { workingSince, doing, calls }: ScreenState,
  { now, columns, measure }: FrameOptions,
): readonly Line[] {
  if (workingSince === undefined) return [];
  const verb = doing ?? (calls.length > 0 ? 'Working' : 'Thinking');
  return [
    [
      {
        text: `${spinnerAt(now)} ${measure.cut(verb, Math.max(columns - AFTER_VERB, 10))} `,
        style: 'accent',
      },
      { text: `${elapsed(now - workingSince)} · Esc interrupts`, style: 'dim' },
    ],
  ];
}

function callLines(
  { waiting }: ScreenState,
  calls: readonly LiveCall[],
  { now, columns, measure }: FrameOptions,
  margin = '',
  hint = '',
): readonly Line[] {
  const shown = calls.slice(-MOST.calls);
  const hidden = calls.length - shown.length;
  const waits = columns < WIDE ? WAITS.short : WAITS.long;
  return [
    ...(hidden > 0 ? [plainLine(`${margin}  … ${hidden} more${hint}`, 'dim')] : []),
    ...shown.map((call): Line => {
      const { id, text, color, progress, since, isWaiting } = call;
      const row = (mark: string, state: string, style: Style, more = ''): Line => [
        { text: `${margin}${mark} `, style },
        {
          text: measure.cut(text, Math.max(columns - margin.length - 2 - state.length, 10)),
          ...(color !== undefined && { style: color }),
        },
        { text: `${state}${more}`, style: 'dim' },
      ];
      if (waiting.has(id)) return row('?', waits, 'warning');
      if (isWaiting === true) return row('○', WAITS_FOR_TURN, 'dim');
      const more = progress === undefined ? '' : ` · ${progress}`;
      return row(spinnerAt(now), ` · ${elapsed(now - since)}`, 'accent', more);
    }),
  ];
}

const MARKS = { completed: '✔', in_progress: '▸', pending: '☐' } as const;

function todoLines(todos: readonly TodoItem[]): readonly Line[] {
  if (todos.every(({ status }) => status === 'completed')) return [];
  const next = todos.findIndex(({ status }) => status !== 'completed');
  const from = Math.max(Math.min(next - 1, todos.length - MOST.todos), 0);
  const shown = todos.slice(from, from + MOST.todos);
  const hidden = todos.length - shown.length;
  return [
    ...shown.map(({ text, status }) =>
      plainLine(
        `  ${MARKS[status]} ${text}`,
        status === 'in_progress' ? 'strong' : status === 'completed' ? 'dim' : undefined,
      ),
    ),
    ...(hidden > 0 ? [plainLine(`  … ${hidden} more to-do items`, 'dim')] : []),
  ];
}

function spinnerAt(now: number): string {
  return SPINNER[Math.floor(now / SPIN_MS) % SPINNER.length] ?? '';
}

/** Such as `4 s` or `2 min 5 s`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(Math.floor(ms / 1_000), 0);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function takeLast<Item>(items: readonly Item[], count: number): readonly Item[] {
  return count === 0 ? [] : items.slice(-count);
}
