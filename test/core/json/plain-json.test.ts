import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJsonText, toPlainJson } from '../../../src/core/json/plain-json.js';

const fail = (): never => {
  throw new Error('a trap');
};
const cyclic: Record<string, unknown> = { name: 'a' };
cyclic['itself'] = cyclic;

describe('toPlainJson', () => {
  it('copies what JSON can say, and leaves out the rest', () => {
    const given = { a: [1, null, 'x'], none: undefined, call: () => 1, at: new Date(0) };
    expect(toPlainJson(given)).toEqual({ a: [1, null, 'x'], at: '1970-01-01T00:00:00.000Z' });
    expect(toPlainJson(undefined)).toBe(undefined);
  });

  it.each([
    ['a BigInt', { a: 1n }],
    ['a cycle', cyclic],
    ['a member that throws', Object.defineProperty({}, 'a', { get: fail, enumerable: true })],
    ['a proxy whose traps throw', new Proxy({}, { get: fail, ownKeys: fail })],
  ])('refuses %s', (_, value) => {
    expect(() => toPlainJson(value)).toThrow(/^JSON cannot express this value: /);
  });
});

describe('toJsonText', () => {
  it('is JSON for what JSON can say', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJsonText(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('describes what JSON cannot say, and keeps the rest', () => {
    const broken = Object.defineProperty({ kept: 1 }, 'a', { get: fail, enumerable: true });
    const proxy = new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail });
    expect(JSON.parse(toJsonText({ big: 1n, cyclic, broken, proxy, at: new Date(0) }))).toEqual({
      big: '1n',
      cyclic: { name: 'a', itself: '[circular]' },
      broken: { kept: 1, a: '[unreadable: a trap]' },
      proxy: '[unreadable: a trap]',
      at: '1970-01-01T00:00:00.000Z',
    });
  });
});
