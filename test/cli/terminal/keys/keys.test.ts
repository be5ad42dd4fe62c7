import { describe, expect, it } from 'vitest';
import { createKeyReader, type Key } from '../../../../src/cli/terminal/keys/keys.js';

/** The keys of chunks, each as its name, its text and its modifiers. */
function keysOf(...chunks: readonly string[]): readonly string[] {
  const keys: Key[] = [];
  const read = createKeyReader((key) => keys.push(key));
  for (const chunk of chunks) read(Buffer.from(chunk));
  return keys.map(({ name, text, ctrl, meta, shift, isBurst }) =>
    [
      ...(ctrl ? ['ctrl'] : []),
      ...(meta ? ['meta'] : []),
      ...(shift ? ['shift'] : []),
      name === text ? name : `${name}:${text}`,
      ...(isBurst ? ['burst'] : []),
    ].join(' '),
  );
}

describe('createKeyReader', () => {
  it.each([
    ['a', ['a']],
    ['字', [':字']],
    ['\r', ['return:']],
    ['\n', ['meta return:']], // Ctrl-J
    ['go\n', ['g', 'o', 'return:']], // typed before the terminal was in raw mode
    ['\u001b[13;2u', ['meta return:']], // Shift-Enter as kitty tells it, and as xterm does
    ['\u001b[27;2;13~', ['meta return:']],
    ['\u001b[13u', ['return:']],
    ['\u001b[13;129u', ['return:']], // with Num Lock
    ['\u001b[99;5u', ['ctrl c:']],
    ['\u001b[97;3u', ['meta a:']],
    ['\u001b[9;2u', ['shift tab:']],
    ['\u001b[127;5:1u', ['backspace:']],
    ['\u001b[57441;2u', []], // Shift alone
    ['\u001f', ['ctrl _:']],
    ['\u001b\r', ['meta return:']],
    ['\u001b[A', ['up:']],
    ['\u001b[Z', ['shift tab:']],
    ['\u0003', ['ctrl c:']],
    ['\u0002', ['ctrl b:']],
    ['a\rb', ['a burst', 'return: burst', 'b burst']],
    ['\u001b[200~two\rlines\u001b[201~', ['paste:two\nlines']],
    ['\u202e', []],
  ] as const)('reads %j', (chunk, keys) => {
    expect(keysOf(chunk)).toEqual(keys);
  });

  it('puts a sequence together that comes in two chunks', () => {
    expect(keysOf('\u001b[', 'C')).toEqual(['right:']);
    expect(keysOf('\u001b[200~a', 'b\u001b[20', '1~c')).toEqual(['paste:ab', 'c']);
  });
});
