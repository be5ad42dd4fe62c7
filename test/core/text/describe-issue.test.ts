import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeRefusal, quotedField } from '../../../src/core/text/describe-issue.js';
import { strictObject } from '../../../src/core/text/strict-object.js';

/** The description of a value that the schema refuses. */
function refusal(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? 'accepted' : describeRefusal(error, value, quotedField('the value'));
}

const CASES: readonly (readonly [string, z.ZodType, unknown, string])[] = [
  ['an absent field', z.object({ a: z.string() }), {}, '"a" is required (a string)'],
  [
    'a field of another type',
    z.object({ a: z.object({ b: z.int() }) }),
    { a: { b: 'x' } },
    '"a.b" must be a number, not the string "x"',
  ],
  ['the value itself', z.array(z.string()), 3, 'the value must be an array, not the number 3'],
  [
    'a word that is almost one of a list',
    z.object({ mode: z.enum(['plan', 'default']) }),
    { mode: 'plam' },
    '"mode" must be one of "plan", "default", not the string "plam". Did you mean "plan"?',
  ],
  [
    'a kind that no alternative has',
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('image') }),
    ]),
    { type: 'imag' },
    '"type" must be one of "text", "image", not the string "imag". Did you mean "image"?',
  ],
  [
    'an unknown key, before what it left missing',
    strictObject({ tokens: z.int() }),
    { token: 1 },
    'the value: there is no field "token". Did you mean tokens?',
  ],
  [
    'a format',
    z.object({ id: z.uuid() }),
    { id: 'x' },
    '"id" must be a valid UUID, not the string "x"',
  ],
  [
    'a pattern without its own message',
    z.object({ id: z.string().regex(/^\d+$/) }),
    { id: 'x' },
    '"id" must match /^\\d+$/, not the string "x"',
  ],
  [
    'a step of numbers',
    z.object({ n: z.number().multipleOf(5) }),
    { n: 7 },
    '"n" must be a multiple of 5, not the number 7',
  ],
  [
    'a check without its own message',
    z.object({ n: z.number().refine(() => false) }),
    { n: 7 },
    '"n" cannot be the number 7',
  ],
  [
    'the name of a member',
    z.record(z.string().min(1, 'an agent needs a name'), z.unknown()),
    { '': 1 },
    'the value: "" cannot be a name here: an agent needs a name',
  ],
  [
    'words of the schema',
    z.object({ a: z.string().refine(() => false, 'the text is blank') }),
    { a: ' ' },
    '"a": the text is blank',
  ],
  [
    'words of the schema that ask for the value',
    z.object({ a: z.custom((value) => typeof value === 'function', 'must be a function') }),
    { a: 3 },
    '"a" must be a function, not the number 3',
  ],
  [
    'words of the schema for an absent value',
    z.object({ a: z.unknown().refine((value) => value !== undefined, 'must be a text') }),
    {},
    '"a" is required: it must be a text',
  ],
  [
    'the alternative that was tried',
    z.union([z.string(), z.array(z.object({ text: z.string() }))]),
    [{ text: 3 }],
    '"0.text" must be a string, not the number 3',
  ],
];

describe('describeRefusal', () => {
  it.each(CASES)('says what is wrong with %s', (_, schema, value, words) => {
    expect(refusal(schema, value)).toBe(words);
  });
});
