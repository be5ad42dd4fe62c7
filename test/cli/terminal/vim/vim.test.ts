import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_EDITOR } from '../../../../src/cli/terminal/editor/editor.js';
import { NO_KEY, type Key } from '../../../../src/cli/terminal/keys/keys.js';
import { editVim } from '../../../../src/cli/terminal/vim/vim.js';
import { VIM } from '../../../../src/cli/terminal/vim/vim-state.js';

const HISTORY = ['an earlier prompt'];
const NAMED: Readonly<Record<string, Partial<Key>>> = {
  '␛': { name: 'escape' },
  '⏎': { name: 'return' },
  '⌫': { name: 'backspace' },
};

/** The text with `|` at the cursor and the mode after typed keys; `␛` is Escape, `⏎` Enter, `⌫` Backspace. */
function after(typed: string) {
  let at = { state: EMPTY_EDITOR, vim: VIM };
  const sent: string[] = [];
  for (const { segment } of new Intl.Segmenter().segment(typed)) {
    const key = NAMED[segment] ?? { text: segment };
    const edited = editVim(at, { ...NO_KEY, ...key }, HISTORY);
    at = edited;
    if (edited.sent !== undefined) sent.push(edited.sent);
  }
  const { text, cursor } = at.state;
  return { at, sent, shown: `${at.vim.mode}: ${text.slice(0, cursor)}|${text.slice(cursor)}` };
}

describe('the keys of vim', () => {
  it.for([
    // typing, and back to typing
    ['one two', 'insert: one two|'],
    ['one two␛', 'normal: one tw|o'],
    ['one␛iX', 'insert: onX|e'],
    ['one␛aX', 'insert: oneX|'],
    ['  one␛IX', 'insert:   X|one'],
    ['one␛0AX', 'insert: oneX|'],
    ['one␛oX', 'insert: one\nX|'],
    ['one␛OX', 'insert: X|\none'],
    // motions
    ['one two␛h', 'normal: one t|wo'],
    ['one two␛2⌫', 'normal: one t|wo'],
    ['one two␛0l', 'normal: o|ne two'],
    ['one two␛0w', 'normal: one |two'],
    ['one two␛0e', 'normal: on|e two'],
    ['one two␛02e', 'normal: one tw|o'],
    ['one two␛b', 'normal: one |two'],
    ['a.b c␛0w', 'normal: a|.b c'],
    ['a.b c␛0W', 'normal: a.b |c'],
    ['  one␛0^', 'normal:   |one'],
    ['one␛0$', 'normal: on|e'],
    ['a,b,c␛0f,', 'normal: a|,b,c'],
    ['a,b,c␛02f,', 'normal: a,b|,c'],
    ['a,b,c␛0t,;', 'normal: |a,b,c'],
    ['a,b,c␛0f,;', 'normal: a,b|,c'],
    ['a,b,c␛F,', 'normal: a,b|,c'],
    ['a,b,c␛T,', 'normal: a,b,|c'],
    ['a,b,c␛0fx', 'normal: |a,b,c'],
    ['one␛otwo␛k', 'normal: on|e\ntwo'],
    ['one␛otwo␛gg', 'normal: |one\ntwo'],
    ['one␛otwo␛ggG', 'normal: one\n|two'],
    ['␛k', 'normal: an earlier promp|t'],
    // changes
    ['one two␛x', 'normal: one t|w'],
    ['one two␛02x', 'normal: |e two'],
    ['one two␛X', 'normal: one t|o'],
    ['one two␛0dw', 'normal: |two'],
    ['one two␛0d2w', 'normal: |'],
    ['one two␛0de', 'normal: | two'],
    ['one two␛0cwX', 'insert: X| two'],
    ['one two␛bD', 'normal: one| '],
    ['one two␛bCX', 'insert: one X|'],
    ['a,b␛0dt,', 'normal: |,b'],
    ['one two␛bdb', 'normal: |two'],
    ['one two␛diw', 'normal: one| '],
    ['one two␛0daw', 'normal: |two'],
    ['say "a b" now␛0f"ci"X', 'insert: say "X|" now'],
    ['f(a, g(b))␛0f,di(', 'normal: f(|)'],
    ['f(a)␛0fada(', 'normal: |f'],
    ['one␛otwo␛othree␛kdd', 'normal: one\n|three'],
    ['one␛otwo␛dd', 'normal: |one'],
    ['one␛otwo␛othree␛ggd2d', 'normal: |three'],
    ['one␛otwo␛ggdj', 'normal: |'],
    ['one␛otwo␛ccX', 'insert: one\nX|'],
    ['one␛otwo␛ggyyp', 'normal: one\n|one\ntwo'],
    ['one␛otwo␛ddP', 'normal: |two\none'],
    ['one two␛0dwP', 'normal: one| two'],
    ['ab␛0xp', 'normal: b|a'],
    ['one␛0rX', 'normal: |Xne'],
    ['one␛03rX', 'normal: XX|X'],
    ['one␛0~~', 'normal: ON|e'],
    ['one␛otwo␛ggJ', 'normal: one| two'],
    ['one␛sX', 'insert: onX|'],
    // repeat and undo
    ['one two three␛0dw.', 'normal: |three'],
    ['a b␛0cwX␛w.', 'normal: X |X'],
    ['one two␛0dwu', 'normal: |one two'],
    ['one two␛0x.uu', 'normal: |one two'],
    ['one␛u', 'normal: |'],
    ['one␛uu', 'normal: |'],
    // what is no command changes nothing
    ['one␛0dz', 'normal: |one'],
    ['one␛0d␛x', 'normal: |ne'],
    ['one␛0q', 'normal: |one'],
    // characters of several code units
    ['a👨‍👩‍👧b␛0lx', 'normal: a|b'],
    ['سلام دنیا␛0dw', 'normal: |دنیا'],
  ])('make of %j %j', ([typed = '', shown]) => {
    expect(after(typed).shown).toBe(shown);
  });

  it('send the text at Enter, and begin the next prompt with typing', () => {
    expect(after('one␛⏎two')).toMatchObject({ sent: ['one'], shown: 'insert: two|' });
    expect(after('one⏎two␛dd⏎').sent).toEqual(['one', '']);
  });

  it('search earlier prompts at a slash', () => {
    expect(after('␛/earl⏎').sent).toEqual(['an earlier prompt']);
  });

  it('never leave the text, whatever is typed', () => {
    const key = fc.constantFrom(...'␛⌫hjklwbeWBE0^$fFtT;,gGdcyiaIAoOxXDCSsYpPr~J.u23 ab()"\'👩‍👧é');
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
        const { text, cursor } = after(keys.join('')).at.state;
        expect(cursor).toBeGreaterThanOrEqual(0);
        expect(cursor).toBeLessThanOrEqual(text.length);
        expect(text).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 500 },
    );
  });
});
