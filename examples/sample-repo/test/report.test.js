import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notice, table, wrap } from '../src/report.js';

/** Texts of words of 1 to 9 letters, the same on every run. */
function* texts(count) {
  let state = 20_250_131;
  const next = (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % limit;
  };
  for (let made = 0; made < count; made += 1) {
    yield Array.from({ length: 5 + next(40) }, () => 'x'.repeat(1 + next(9)));
  }
}

/** The problem of these lines, or undefined. */
function faultOf(words, width, lines) {
  if (lines.join(' ') !== words.join(' ')) return 'words were lost or changed';
  for (const [index, line] of lines.entries()) {
    if (line.length > width) return `line ${index + 1} has ${line.length} characters`;
    const first = lines[index + 1]?.split(' ')[0];
    if (first !== undefined && line.length + 1 + first.length <= width) {
      return `line ${index + 1} has room for the next word`;
    }
  }
  return undefined;
}

test('every text is wrapped into lines that are as full as they can be', () => {
  let faults = 0;
  let first;
  for (const words of texts(2_400)) {
    for (let width = 10; width <= 40; width += 1) {
      const fault = faultOf(words, width, wrap(words.join(' '), width));
      if (fault !== undefined) {
        faults += 1;
        first ??= `width ${width}: ${fault}`;
      }
    }
  }
  assert.equal(faults, 0, `${faults} faults, the first: ${first}`);
});

test('no text has no lines, and a long word stands alone', () => {
  assert.deepEqual(wrap('  ', 10), []);
  assert.deepEqual(wrap('a extraordinarily b', 10), ['a', 'extraordinarily', 'b']);
});

test('columns are as wide as their widest cell', () => {
  assert.deepEqual(
    table([
      ['Ida', '3.34'],
      ['Jonathan', '13.33'],
    ]),
    ['Ida        3.34', 'Jonathan  13.33'],
  );
});

test('a notice gives the reason and the shares', () => {
  assert.equal(
    notice(
      'Heating in March',
      [
        ['Ida', 334],
        ['Jon', 333],
      ],
      40,
    ),
    'Heating in March\n\nIda  3.34\nJon  3.33',
  );
});
