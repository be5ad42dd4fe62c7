import { describe, expect, it } from 'vitest';
import { compileJsonSchema } from '../../src/tools/json-schema-validator.js';

describe('compileJsonSchema', () => {
  it('gives a check that names what is wrong', async () => {
    const check = await compileJsonSchema({ type: 'object', required: ['a'] });
    expect(check({ a: 1 })).toBeUndefined();
    expect(check({})).toBe("data must have required property 'a'");
  });

  it('keeps two schemas of one $id apart', async () => {
    const $id = 'https://example.com/same';
    await compileJsonSchema({ $id, type: 'object', required: ['a'] });
    const check = await compileJsonSchema({ $id, type: 'object', required: ['b'] });
    expect(check({ b: 1 })).toBeUndefined();
  });

  it('rejects a schema that cannot be used', async () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/nowhere' } } } as const;
    await expect(compileJsonSchema(schema)).rejects.toThrow("can't resolve reference #/nowhere");
  });
});
