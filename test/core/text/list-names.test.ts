import { describe, expect, it } from 'vitest';
import { cutText, listNames } from '../../../src/core/text/list-names.js';

describe('listNames', () => {
  it('lists by name, and cuts the longest texts first', () => {
    const entries = [
      { name: 'b', text: 'x'.repeat(300) },
      { name: 'a', text: 'short' },
      { name: 'c', text: '' },
    ];
    expect(listNames(entries, 1_000)).toEqual(['- a: short', `- b: ${'x'.repeat(300)}`, '- c']);
    expect(listNames(entries, 123)).toEqual(['- a: short', `- b: ${'x'.repeat(99)}…`, '- c']);
  });

  it('keeps all names, if there is no room for texts', () => {
    const entries = ['a', 'b'].map((name) => ({ name, text: 'x'.repeat(30) }));
    expect(listNames(entries, 10)).toEqual(['- a', '- b']);
  });

  it('cuts no character in half', () => {
    expect(cutText('ab😀cd', 4)).toBe('ab…');
    expect(cutText('ab😀cd', 5)).toBe('ab😀…');
    expect(cutText('ab', 2)).toBe('ab');
  });
});
