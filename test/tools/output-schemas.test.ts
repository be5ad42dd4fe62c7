import { describe, expect, it } from 'vitest';
import { getAllBaseTools } from '../../src/tools/pool/base-tools.js';

describe('the results of the built-in tools', () => {
  it('have a schema, for programs', () => {
    const without = getAllBaseTools().filter(({ outputSchema }) => outputSchema === undefined);
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});
