import { describe, expect, it } from 'vitest';
import { editDistance } from '../../../src/core/text/edit-distance.js';
import { nearestName } from '../../../src/core/text/nearest-name.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['same', 'same', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['model', 'modle', 1],
    ['bash', 'bahs', 1],
    ['abcd', 'dcba', 3],
  ])('from "%s" to "%s" is %i', (a, b, edits) => {
    expect([editDistance(a, b), editDistance(b, a)]).toEqual([edits, edits]);
  });
});

describe('nearestName', () => {
  it('is the nearest one, whatever the case', () => {
    expect(nearestName('reed', ['Write', 'Read', 'Glob'])).toBe('Read');
  });

  it('is none where all are further away than may be', () => {
    expect(nearestName('--modle', ['--modus-x'])).toBeUndefined();
    expect(nearestName('--modle', ['--modus-x'], 5)).toBe('--modus-x');
    expect(nearestName('x', [])).toBeUndefined();
  });
});
