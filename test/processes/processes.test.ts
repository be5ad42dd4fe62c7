import { expect, it } from 'vitest';
import { hidden, uniqueSeconds } from './processes.js';

it('gives numbers that no other one is computed from', () => {
  const numbers = Array.from({ length: 20 }, uniqueSeconds);
  const texts = numbers.map(hidden);
  for (const seconds of numbers) {
    expect(texts.filter((text) => text.includes(String(seconds)))).toEqual([]);
  }
});
