import { describe, expect, it } from 'vitest';
import { compileJsonSchema } from '../../../src/tools/calls/json-schema-validator.js';

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

  const long = `${'a'.repeat(60)}!`;
  const doubled = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const $ref = `#/$defs/d${index + 1}`;
      return [`d${index}`, { allOf: [{ $ref }, { $ref }] }];
    }),
  );
  it.each([
    ['a pattern', { properties: { a: { type: 'string', pattern: '^(a+)+$' } } }, { a: long }],
    ['a pattern of names', { patternProperties: { '^(a+)+$': { type: 'string' } } }, { [long]: 1 }],
    [
      'references',
      { properties: { a: { $ref: '#/$defs/d0' } }, $defs: { ...doubled, d40: {} } },
      { a: 1 },
    ],
  ])(
    'ends a check that would never end, and every later one at once: %s',
    async (_, fields, value) => {
      const check = await compileJsonSchema({ type: 'object', ...fields });
      expect(() => check(value)).toThrow(/longer than 1000 ms/);
      const before = performance.now();
      expect(() => check(value)).toThrow(/longer than 1000 ms/);
      expect(performance.now() - before).toBeLessThan(500);
    },
  );

  it('throws for a schema that refers to itself without an end', async () => {
    const $ref = '#/properties/a';
    const check = await compileJsonSchema({
      type: 'object',
      properties: { a: { allOf: [{ $ref }] } },
    });
    expect(() => check({ a: 1 })).toThrow(RangeError);
  });

  it('rejects a schema that cannot be used', async () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/nowhere' } } } as const;
    await expect(compileJsonSchema(schema)).rejects.toThrow("can't resolve reference #/nowhere");
  });
});
