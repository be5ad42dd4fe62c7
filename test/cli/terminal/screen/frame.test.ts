import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { edit, EMPTY_EDITOR } from '../../../../src/cli/terminal/editor/editor.js';
import { frameOf } from '../../../../src/cli/terminal/screen/frame.js';
import { NO_KEY } from '../../../../src/cli/terminal/keys/keys.js';
import { lineText, paintLine, plainLine } from '../../../../src/cli/terminal/lines/line.js';
import {
  EMPTY_SCREEN,
  type ScreenState,
} from '../../../../src/cli/terminal/screen/screen-state.js';
import { loadTextWidth, type TextWidth } from '../../../../src/cli/output/text-width.js';

let measure: TextWidth;
beforeAll(async () => {
  measure = await loadTextWidth();
});

const STATUS = {
  mode: 'default',
  model: 'sonnet',
  contextLeft: 75,
  tokens: 12_345,
  costUsd: 0.5,
  agents: 2,
};

function draw(state: Partial<ScreenState>, { columns = 60, rows = 24 } = {}) {
  const options = { columns, rows, now: 10_000, measure, history: () => [] };
  const { lines, cursor } = frameOf({ ...EMPTY_SCREEN, ...state }, options);
  return { text: lines.map((line) => paintLine(line, false)), cursor };
}

const typed = (text: string) => edit(EMPTY_EDITOR, { ...NO_KEY, text }, []).state;

describe('frameOf', () => {
  it('says what the agent does with a command, cut to the width', () => {
    const doing = (text: string): string | undefined =>
      draw({ workingSince: 5_000, doing: text }, { columns: 44 }).text[0];
    expect(doing('Reviewing it')).toBe('⠋ Reviewing it 5 s · Esc interrupts');
    expect(doing('Looking for weaknesses')).toMatch(/^⠋ Looking f.* 5 s · Esc interrupts$/);
  });

  it('shows what happens, to-do items, waiting prompts, the editor and the status', () => {
    const { text, cursor } = draw({
      workingSince: 5_000,
      calls: [{ id: '1', text: 'Bash: make', since: 8_000, progress: '3 lines' }],
      todos: [
        { text: 'Look', status: 'completed' },
        { text: 'Building', status: 'in_progress' },
        { text: 'Test', status: 'pending' },
      ],
      queued: ['and more'],
      editor: typed('dra'),
      status: STATUS,
      requests: 1,
    });
    expect(text).toEqual([
      '⠋ Bash: make · 2 s · 3 lines',
      '  ✔ Look',
      '  ▸ Building',
      '  ☐ Test',
      '⠋ Working 5 s · Esc interrupts',
      '  (queued) > and more',
      '─'.repeat(40),
      '> dra',
      '  1 request waits · mode default · sonnet · 2 agents at work',
    ]);
    expect(cursor).toEqual({ x: 5, y: 7 });
  });

  it('says of a call and of an agent that it waits for a decision, at any width', () => {
    const calls = [
      { id: '1', text: 'Bash: make', since: 8_000 },
      { id: '2', text: `Bash: touch ${'long '.repeat(20)}`, since: 8_000 },
    ];
    const agents = [{ id: 'a1', text: 'look (worker)', since: 8_000 }];
    const waiting = new Set(['2', 'a1']);
    const rows = (columns: number) =>
      draw({ calls, agents, waiting }, { columns }).text.slice(0, 3);
    expect(rows(60)).toEqual([
      '⠋ Bash: make · 2 s',
      '? Bash: touch long long long long… · waits for your decision',
      '  ? look (worker) · waits for your decision',
    ]);
    expect(rows(40)).toEqual([
      '⠋ Bash: make · 2 s',
      '? Bash: touch long long… · waits for you',
      '  ? look (worker) · waits for you',
    ]);
  });

  it('has no spinner for a call that does not run yet', () => {
    const calls = [
      { id: '1', text: 'Bash: make', since: 8_000, isWaiting: false },
      { id: '2', text: 'Bash: make install', since: 8_000, isWaiting: true },
    ];
    expect(draw({ calls }).text.slice(0, 2)).toEqual([
      '⠋ Bash: make · 2 s',
      '○ Bash: make install · waits',
    ]);
  });

  it('shortens the name in a row of the tree before its state', () => {
    const row = (name: string, state: string) => [
      { text: '  ▸ ' },
      { text: name, isCutFirst: true as const },
      { text: state },
    ];
    const tree = [
      row('general-purpose: Read the parser', ' · needs a decision · 2 s'),
      row('Read the parser', ' · idle'),
      row('Read the parser', ' · model request · 2 min 3 s · 80 tokens'),
    ];
    expect(draw({ tree }, { columns: 40 }).text.slice(0, 3)).toEqual([
      '  ▸ general-pu… · needs a decision · 2 s',
      '  ▸ Read the parser · idle',
      '  ▸ Read the… · model request · 2 min 3…',
    ]);
  });

  it('keeps the requests and the agents at work in the status of a narrow screen', () => {
    const status = { ...STATUS, agents: 12 };
    const last = (requests: number, columns: number) =>
      draw({ status, requests }, { columns }).text.at(-1);
    expect(last(0, 40)).toBe('  mode default · sonnet · 12 agents');
    expect(last(3, 40)).toBe('  3 requests wait · 12 agents');
    expect(last(3, 60)).toBe('  3 requests wait · mode default · 12 agents at work');
  });

  it('has shorter hints on a narrow screen', () => {
    const menu = { from: 0, items: [{ value: '1', height: 1 }], isMany: true, marked: [] };
    const dialog = { lines: [{ text: '    1 npm' }], menu, editor: EMPTY_EDITOR };
    const hint = (columns: number) => draw({ dialog, requests: 12 }, { columns }).text.at(-2);
    expect(hint(80)).toBe('  request 1 of 12 · ↑ ↓ choose · Space marks · Enter decides');
    expect(hint(40)).toBe('  1 of 12 · ↑ ↓ · Space marks · Enter');
  });

  it('shows the request in place of the editor, its end if the screen is too low', () => {
    const lines = Array.from({ length: 30 }, (_, index) => ({ text: `line ${index}` }));
    const { text, cursor } = draw(
      { dialog: { lines, editor: typed('1') }, editor: typed('draft') },
      { rows: 6 },
    );
    expect(text).toEqual(['line 26', 'line 27', 'line 28', 'line 29', '> 1']);
    expect(cursor).toEqual({ x: 3, y: 4 });
  });

  it('breaks the lines of a request if the window is narrower than it was', () => {
    const lines = ['    │ rm -rf build dist', '  1 allow once'].map((text) => ({ text }));
    const menu = { from: 1, items: [{ value: '1', height: 1 }], isMany: true, marked: [] };
    const { text } = draw(
      { dialog: { lines, menu, editor: EMPTY_EDITOR } },
      { columns: 20, rows: 11 },
    );
    expect(text).toEqual([
      '    │ rm -rf build',
      '    │ dist',
      '  1 allow once',
      '  ↑ ↓ · Space marks',
      '  · Enter',
      '> ',
    ]);
  });

  it('shows an agent in place of the call that started it', () => {
    const agents = [{ id: 't1', toolUseId: 'u1', text: 'look (worker)', since: 9_000 }];
    const calls = ['u1', 'u2'].map((id) => ({ id, text: `Agent: ${id}`, since: 9_000 }));
    expect(draw({ agents, calls }).text.slice(0, 2)).toEqual([
      '⠋ Agent: u2 · 1 s',
      '  ⠋ look (worker) · 1 s',
    ]);
  });

  it('says how many candidates a list has, and breaks a long message', () => {
    const candidates = Array.from({ length: 9 }, (_, index) => ({ value: `c${index}`, hint: 'x' }));
    expect(draw({ popup: { candidates, selected: 7 } }).text.slice(-3)).toEqual([
      '  c6  x',
      '\u001b[7m  c7  \u001b[0mx',
      '  8 of 9 · ↑ ↓',
    ]);
    expect(draw({ notice: 'Send or clear the text' }, { columns: 20 }).text.slice(-2)).toEqual([
      '  Send or clear the',
      '  text',
    ]);
  });

  it('breaks long and wide text in the editor, and follows the cursor', () => {
    const { text, cursor } = draw({ editor: typed('字'.repeat(6) + '👩‍👩‍👧') }, { columns: 10 });
    expect(text).toEqual(['─'.repeat(10), '> 字字字', '  字字字', '  👩‍👩‍👧']);
    expect(cursor).toEqual({ x: 4, y: 3 });
  });

  it('makes text harmless that comes from elsewhere', () => {
    const painted = paintLine(plainLine('a\u001b]0;x\u0007b\u202ec\nd', 'accent'), true);
    expect(painted).toBe('\u001b[36ma\\u001b]0;x\\u0007b\\u202ec d\u001b[0m');
  });

  it('never fills the screen, and never exceeds its width', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 120 }), { maxLength: 40 });
    const holds = fc.property(
      fc.record({
        rows: fc.integer({ min: 3, max: 50 }),
        columns: fc.integer({ min: 8, max: 120 }),
      }),
      texts,
      fc.boolean(),
      (size, many, asks) => {
        const lines = many.map((text) => plainLine(text));
        const state: ScreenState = {
          ...EMPTY_SCREEN,
          tail: lines,
          calls: many.map((text, id) => ({ id: String(id), text, since: 0 })),
          todos: many.map((text) => ({ text, status: 'pending' })),
          queued: many,
          workingSince: 0,
          status: STATUS,
          editor: typed(many.join('\n')),
          dialog: asks
            ? { lines: many.map((text) => ({ text })), editor: EMPTY_EDITOR }
            : undefined,
        };
        const options = { ...size, now: 0, measure, history: () => [] };
        const drawn = frameOf(state, options);
        return (
          drawn.lines.length < size.rows &&
          drawn.lines.every((line) => measure.of(lineText(line)) <= size.columns) &&
          drawn.cursor.y < drawn.lines.length
        );
      },
    );
    expect(() => fc.assert(holds, { numRuns: 100 })).not.toThrow();
  });
});
