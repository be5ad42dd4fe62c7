import { z } from 'zod';
import { UsageError } from '../core/errors.js';
import { describeUnknownKey } from '../core/unknown-key.js';
import {
  describeInputIssue,
  describeValue,
  formatPath,
  valueAt,
  withFullStop,
} from '../core/describe-issue.js';

/** A schema of options: an unknown one is an error that says which was probably meant. */
export function strictOptions<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? describeUnknownKey(String(issue.keys[0]), known)
        : undefined,
  });
}

/** A schema of a function. */
export const aFunction = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);

/** A schema of text that says something. */
export const filledText = z
  .string()
  .refine((text) => text.trim() !== '', 'must be a text that is not empty');

/**
 * Check what a program gives. An option that is undefined counts as absent.
 *
 * @param place what is called, for the message
 * @throws UsageError that names the option by its path, what it is, and what would work
 */
export function checkOptions(schema: z.ZodType, given: unknown, place: string): void {
  const issues = schema.safeParse(given).error?.issues ?? [];
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]; // it explains what is missing
  if (issue !== undefined) throw new UsageError(`${place}: ${describeIssue(issue, given)}`);
}

function describeIssue(issue: z.core.$ZodIssue, given: unknown): string {
  const { code, path, message } = issue;
  if (path.length === 0 && code === 'invalid_type')
    return `the options must be an object, not ${describeValue(given)}.`;
  const option = path.length === 0 ? '' : formatPath(path);
  if (code === 'unrecognized_keys')
    return `${option === '' ? '' : `${option}: `}${withFullStop(message)}`;
  if (code !== 'custom') return withFullStop(describeInputIssue(issue, given));
  if (message.startsWith('must '))
    return `${option} ${message}, not ${describeValue(valueAt(given, path))}.`;
  const isPredicate = /^(?:is|takes) /.test(message);
  return withFullStop(`${option}${isPredicate ? '' : ':'} ${message}`);
}
