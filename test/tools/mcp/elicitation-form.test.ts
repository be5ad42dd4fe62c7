import { describe, expect, it } from 'vitest';
import { fieldsOfForm } from '../../../src/tools/mcp/elicitation-form.js';

const problemOf = (
  schema: Readonly<Record<string, unknown>>,
  value: string | number | boolean | string[],
) => fieldsOfForm({ type: 'object', properties: { field: schema } })[0]?.problemOf(value);

describe('a field of a form', () => {
  it.each([
    [{ type: 'boolean' }, true],
    [{ type: 'integer', minimum: 1, maximum: 5 }, 5],
    [{ type: 'number' }, 1.5],
    [{ type: 'string', minLength: 1, maxLength: 3 }, 'abc'],
    [{ type: 'string', format: 'email' }, 'ann@example.org'],
    [{ type: 'string', format: 'uri' }, 'https://example.org/a'],
    [{ type: 'string', format: 'date' }, '2026-02-28'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28T10:00:00+01:00'],
    [{ type: 'string', enum: ['a', 'b'] }, 'b'],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, 'a'],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2 }, ['a', 'b']],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 1 }, ['a']],
  ])('%j takes %j', (schema, value) => {
    expect(problemOf(schema, value)).toBeUndefined();
  });

  it.each([
    [{ type: 'boolean' }, 'yes', 'it must be true or false, not the string "yes"'],
    [{ type: 'integer' }, 1.5, 'it must be a whole number, not the number 1.5'],
    [{ type: 'integer', minimum: 2 }, 1, 'it must be at least 2, not the number 1'],
    [{ type: 'number', maximum: 2 }, 3, 'it must be at most 2, not the number 3'],
    [{ type: 'string' }, 3, 'it must be a string, not the number 3'],
    [
      { type: 'string', minLength: 2 },
      'a',
      'it must have at least 2 characters, not the string "a"',
    ],
    [
      { type: 'string', maxLength: 2 },
      'abc',
      'it must have at most 2 characters, not the string "abc"',
    ],
    [{ type: 'string', format: 'email' }, 'ann', 'it must be a valid email, not the string "ann"'],
    [
      { type: 'string', format: 'uri' },
      'example',
      'it must be a valid URL, not the string "example"',
    ],
    [
      { type: 'string', format: 'date' },
      '2026-02-30',
      'it must be a valid date, not the string "2026-02-30"',
    ],
    [
      { type: 'string', format: 'date-time' },
      '2026-02-28',
      'it must be a valid datetime, not the string "2026-02-28"',
    ],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'it must be one of "a", "b", not the string "c"'],
    [
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
      'b',
      'it must be "a", not the string "b"',
    ],
    [
      { type: 'array', items: { type: 'string', enum: ['a'] } },
      ['b'],
      '"0" must be "a", not the string "b"',
    ],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 1 },
      [],
      'it must have at least 1 item, not an array of 0',
    ],
  ])('%j refuses %j', (schema, value, message) => {
    expect(problemOf(schema, value)).toBe(message);
  });
});
