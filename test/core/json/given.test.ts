import { expect, expectTypeOf, it } from 'vitest';
import { given } from '../../../src/core/json/given.js';

it('leaves out the properties that are undefined, and no other', () => {
  const name = undefined as string | undefined;
  const rest = given({ name, title: '', count: 0, parent: null });
  expect(Object.entries(rest)).toEqual([
    ['title', ''],
    ['count', 0],
    ['parent', null],
  ]);
  expectTypeOf(rest).branded.toEqualTypeOf<{
    readonly name?: string;
    readonly title: string;
    readonly count: number;
    readonly parent: null;
  }>();
});
