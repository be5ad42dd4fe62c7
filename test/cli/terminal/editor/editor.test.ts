import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  edit,
  EMPTY_EDITOR,
  unfoldPastes,
  type EditorState,
} from '../../../../src/cli/terminal/editor/editor.js';
import { NO_KEY, type Key } from '../../../../src/cli/terminal/keys/keys.js';

const HISTORY = ['first prompt', 'two\nlines', 'find the needle'];

/** The state with `|` at the cursor, after keys such as `ctrl-a`, `meta-b`, `left`, or typed text. */
function after(keys: readonly (string | Key)[], start: EditorState = EMPTY_EDITOR) {
  let state = start;
  const sent: string[] = [];
  for (const key of keys.map(keyOf)) {
    const edited = edit(state, key, HISTORY);
    ({ state } = edited);
    if (edited.sent !== undefined) sent.push(edited.sent);
  }
  const { text, cursor } = state;
  return { state, sent, shown: `${text.slice(0, cursor)}|${text.slice(cursor)}` };
}

const NAMED = [
  'return',
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'backspace',
  'delete',
  'escape',
];

const CHORDS = ['ctrl-a', 'ctrl-e', 'ctrl-k', 'ctrl-u', 'ctrl-w', 'ctrl-y', 'ctrl-r', 'meta-b'];

function keyOf(key: string | Key): Key {
  if (typeof key !== 'string') return key;
  const [, modifier, name = ''] = /^(?:(ctrl|meta)-)(.+)$/.exec(key) ?? [];
  if (modifier !== undefined) return { ...NO_KEY, name, [modifier]: true };
  return NAMED.includes(key) ? { ...NO_KEY, name: key } : { ...NO_KEY, text: key };
}

const pasted = (text: string): Key => ({ ...NO_KEY, name: 'paste', text });

describe('edit', () => {
  it.each([
    [['ab', 'left', 'x'], 'ax|b'],
    [['one two', 'ctrl-a', 'x'], 'x|one two'],
    [['one two', 'meta-b', 'ctrl-k'], 'one |'],
    [['one two', 'ctrl-w', 'ctrl-y', 'ctrl-y'], 'one twotwo|'],
    [['one two', 'ctrl-u'], '|'],
    [['one two', 'home', 'meta-d'], '| two'],
    [['one two', 'home', 'delete', 'end'], 'ne two|'],
    [['a👩‍👩‍👧b', 'left', 'backspace'], 'a|b'],
    [['e\u0301', 'backspace'], '|'],
    [['نمی‌خواهم', 'backspace'], 'نمی‌خواه|'],
    [['one', 'meta-return', 'two', 'up', 'x'], 'onex|\ntwo'],
    [['one\\', 'return', 'two'], 'one\ntwo|'],
  ] as const)('makes of %j %s', (keys, shown) => {
    expect(after(keys).shown).toBe(shown);
  });

  it('sends the text at Enter, and begins an empty one', () => {
    const { sent, shown } = after(['one', 'meta-return', 'two', 'return']);
    expect([sent, shown]).toEqual([['one\ntwo'], '|']);
  });

  it('deletes the name of a paste as one', () => {
    const { shown, state } = after(['a', pasted('b\nc'), 'backspace']);
    expect(shown).toBe('a|');
    expect(after(['ctrl-y', 'return'], state).sent).toEqual(['ab\nc']);
    expect(after([pasted('b\nc'), 'left', 'backspace']).shown).toBe('[paste 1: 2 line|]');
  });

  it('takes changes back with Ctrl-_: words, cuts, pastes and recalled prompts', () => {
    const typed = [...'one two', 'ctrl-a', 'ctrl-k', 'up', pasted('a\nb')];
    const steps = [0, 1, 2, 3, 4, 5, 6].map(
      (count) => after([...typed, ...Array.from({ length: count }, () => 'ctrl-_')]).shown,
    );
    expect(steps).toEqual([
      'find the needle[paste 1: 2 lines]|',
      'find the needle|',
      '|',
      '|one two',
      'one |',
      'one|',
      '|',
    ]);
    expect(after(['ctrl-_', 'a', 'return', 'ctrl-_']).shown).toBe('|');
  });

  it('recalls earlier prompts above the first line, and the draft below the newest', () => {
    expect(after(['dra', 'up']).shown).toBe('find the needle|');
    expect(after(['dra', 'up', 'up', 'up']).shown).toBe('two|\nlines');
    expect(after(['dra', 'up', 'up', 'up', 'up']).shown).toBe('first prompt|');
    expect(after(['dra', 'up', 'up', 'home', 'down']).shown).toBe('find the needle|');
    expect(after(['dra', 'up', 'down']).shown).toBe('dra|');
  });

  it('finds an earlier prompt with Ctrl-R, and gives the draft back at Escape', () => {
    expect(after(['draft', 'ctrl-r', 'p', 'r', 'return']).sent).toEqual(['first prompt']);
    expect(after(['draft', 'ctrl-r', 'n', 'ctrl-r', 'right']).shown).toBe('two\nlines|');
    expect(after(['draft', 'ctrl-r', 'two', 'escape']).shown).toBe('draft|');
  });

  it('shows a paste of several lines as a name, which opens, and sends its text', () => {
    const { state, shown } = after(['see ', pasted('a\n\tb\u001b')]);
    expect(shown).toBe('see [paste 1: 2 lines]|');
    expect(unfoldPastes(state).text).toBe('see a\n\tb');
    expect(after(['return'], state).sent).toEqual(['see a\n\tb']);
  });

  it('keeps the cursor between characters whatever is typed', () => {
    const keys = fc.constantFrom<string | Key>(
      ...NAMED,
      ...CHORDS,
      'a',
      ' ',
      '字',
      '🙂',
      pasted('x\ny'),
    );
    const holds = fc.property(fc.array(keys, { maxLength: 30 }), (typed) => {
      const { text, cursor } = after(typed).state;
      const ends = [...new Intl.Segmenter().segment(text)].map(({ index }) => index);
      return [...ends, text.length].includes(cursor);
    });
    expect(() => fc.assert(holds, { numRuns: 200 })).not.toThrow();
  });
});
