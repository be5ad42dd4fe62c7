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

  it('is undefined if all are further away than the limit', () => {
    expect(nearestName('--modle', ['--modelss'])).toBeUndefined();
    expect(nearestName('--modle', ['--modelss'], 3)).toBe('--modelss');
    expect(nearestName('x', [])).toBeUndefined();
  });

  it.each([
    ['--x', '--all', 3, undefined],
    ['--x', '--p', 3, undefined],
    ['ps', 'px', 2, undefined],
    ['psx', 'ps', 2, 'ps'],
    ['Bsh', 'Bash', 2, 'Bash'],
    ['lgo', 'log', 2, 'log'],
    ['fogx', 'logs', 2, undefined],
    ['--modle', '--model', 3, '--model'],
    ['--alow', '--allow', 3, '--allow'],
  ])('for "%s" with "%s" and %i edits is %s', (word, name, most, near) => {
    expect(nearestName(word, [name], most)).toBe(near);
  });
});
