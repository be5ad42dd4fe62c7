import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import {
  describeIssue,
  describeValue,
  formatPath,
  mainIssue,
  withFullStop,
} from '../../core/text/describe-issue.js';
import { strictObject } from '../../core/text/strict-object.js';

/** A schema of options that rejects unknown ones with a "did you mean". */
export function strictOptions<Shape extends z.ZodRawShape>(shape: Shape) {
  return strictObject(shape, 'option');
}

/** A schema of a function. */
export const aFunction = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);

/** A schema of text that is not blank. */
export const filledText = z
  .string()
  .refine((text) => text.trim() !== '', 'must be a text that is not empty');

/**
 * Check the options of a program. An option that is undefined counts as absent.
 *
 * @param place the called function, for the message
 * @throws UsageError that names the option by its path, its value, and what would work
 */
export function checkOptions(schema: z.ZodType, given: unknown, place: string): void {
  const { error } = schema.safeParse(given, { jitless: true }); // faster for objects with few of their keys
  const issue = error && mainIssue(error);
  if (issue !== undefined) throw new UsageError(`${place}: ${describe(issue, given)}`);
}

function describe(issue: z.core.$ZodIssue, given: unknown): string {
  const { code, path, message } = issue;
  if (path.length === 0 && code === 'invalid_type')
    return `the options must be an object, not ${describeValue(given)}.`;
  const option = path.length === 0 ? '' : formatPath(path);
  if (code === 'unrecognized_keys')
    return `${option === '' ? '' : `${option}: `}${withFullStop(message)}`;
  const isPredicate = /^(?:is|has|needs) /.test(message);
  return withFullStop(
    isPredicate ? `${option} ${message}` : describeIssue(issue, given, formatPath),
  );
}
