import { describe, expect, it } from 'vitest';
import { createKeyFilter, type KeyInput } from '../../../../src/cli/terminal/keys/key-filter.js';

const BEGIN = '\u001b[200~';
const END = '\u001b[201~';

function read(...chunks: readonly string[]): readonly KeyInput[] {
  const filter = createKeyFilter();
  return chunks.flatMap((chunk) => filter(Buffer.from(chunk)));
}

describe('createKeyFilter', () => {
  it('passes keys on, and takes Ctrl-B out', () => {
    expect(read('a\u0002b\r')).toEqual([
      { type: 'keys', text: 'a' },
      { type: 'background' },
      { type: 'keys', text: 'b\r' },
    ]);
  });

  it('takes a paste for one, whatever is in it, with newlines for its returns', () => {
    expect(read(`x${BEGIN}one\r\ntwo\r\u0002\u0003${END}\r`)).toEqual([
      { type: 'keys', text: 'x' },
      { type: 'paste', text: 'one\ntwo\n\u0002\u0003' },
      { type: 'keys', text: '\r' },
    ]);
  });

  it('puts together what comes cut in pieces', () => {
    const whole = `${BEGIN}one\r${END}y`;
    for (let cut = 2; cut < whole.length; cut += 1)
      expect(read(whole.slice(0, cut), whole.slice(cut))).toEqual([
        { type: 'paste', text: 'one\n' },
        { type: 'keys', text: 'y' },
      ]);
    const filter = createKeyFilter();
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    expect([...filter(first), ...filter(second)]).toEqual([{ type: 'keys', text: 'é' }]);
  });

  it('passes Escape and other sequences on at once', () => {
    expect(read('\u001b', '\u001b[A')).toEqual([
      { type: 'keys', text: '\u001b' },
      { type: 'keys', text: '\u001b[A' },
    ]);
  });
});
