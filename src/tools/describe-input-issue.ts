import type { z } from 'zod';

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/** One bad field in words for the model: which, what was expected, what came. */
export function describeInputIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const field = issue.path.length === 0 ? 'the input' : formatPath(issue.path);
  const value = valueAt(input, issue.path);
  switch (issue.code) {
    case 'invalid_type': {
      const expected = NOUNS[issue.expected] ?? issue.expected;
      if (value === undefined) return `${field} is required (${expected})`;
      const isInfinite = typeof value === 'number' && !Number.isFinite(value);
      return `${field} must be ${isInfinite ? 'a finite number' : expected}, not ${describeValue(value)}`;
    }
    case 'invalid_value': {
      const allowed = `one of ${issue.values.map((one) => JSON.stringify(one)).join(', ')}`;
      if (value === undefined) return `${field} is required (${allowed})`;
      return `${field} must be ${allowed}, not ${describeValue(value)}`;
    }
    case 'too_small':
    case 'too_big': {
      const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum;
      const relation = issue.code === 'too_small' ? 'least' : 'most';
      const exclusive = issue.inclusive === false;
      const unit = UNITS[issue.origin] ?? '';
      const range = exclusive
        ? `${relation === 'least' ? 'more' : 'less'} than ${bound}`
        : `at ${relation} ${bound}`;
      return `${field} must ${unit === '' ? 'be' : 'have'} ${range}${unit}, not ${describeValue(value)}`;
    }
    case 'invalid_union': {
      if (value === undefined) return `${field} is required`;
      const meant = issue.errors.find((issues) => !issues.some(isOtherType))?.[0];
      return meant === undefined
        ? `${field} has none of the allowed forms: ${describeValue(value)}`
        : describeInputIssue({ ...meant, path: [...issue.path, ...meant.path] }, input);
    }
    default:
      return `${field}: ${issue.message}`;
  }
}

/** What came is no try at this form. */
function isOtherType({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

/** A value in a few words, with its text cut: enough to recognise it. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return value.length > 60
        ? `a string of ${value.length} characters`
        : `the string ${JSON.stringify(value)}`;
    case 'number':
      return `the number ${value}`;
    case 'boolean':
      return `the boolean ${value}`;
    case 'undefined':
      return 'nothing';
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}

function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key]; // an own property, just checked
  }
  return value;
}
