import { z } from 'zod';
import { describeUnknownKey } from './unknown-key.js';

/** Make a schema of an object that rejects unknown keys with a "did you mean". */
export function strictObject<Shape extends z.ZodRawShape>(shape: Shape, noun = 'field') {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? describeUnknownKey(String(issue.keys[0]), known, noun)
        : undefined,
  });
}
