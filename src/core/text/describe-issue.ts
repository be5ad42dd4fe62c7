import type { z } from 'zod';
import { nearestName } from './nearest-name.js';

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

const UNITS: Readonly<Record<string, string>> = { string: ' character', array: ' item' };

/** Make the name of a field from its path. */
export type NameOf = (path: readonly PropertyKey[]) => string;

/** Name a field by its path in quotes, as in `"message.content"`; `whole` is the value itself. */
export function quotedField(whole: string, above: readonly PropertyKey[] = []): NameOf {
  return (path) => {
    const full = [...above, ...path];
    return full.length === 0 ? whole : `"${full.map(String).join('.')}"`;
  };
}

/**
 * Describe why a schema refuses a value, for people and without a full stop. One problem is enough. An unknown key
 * comes first, because it explains a missing one.
 */
export function describeRefusal(error: z.core.$ZodError, input: unknown, nameOf: NameOf): string {
  const issue = mainIssue(error);
  return issue === undefined ? `${nameOf([])} is not valid` : describeIssue(issue, input, nameOf);
}

/** The issue that explains a refusal best. */
export function mainIssue({ issues }: z.core.$ZodError): z.core.$ZodIssue | undefined {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
}

/**
 * Describe one invalid value of a file or a program, for people: the field, the expected and the given value. A message
 * of the schema itself is kept; one that begins with "must" is completed by the value.
 */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown, nameOf: NameOf): string {
  if (isOfLibrary(issue)) return describeInputIssue(issue, input, nameOf);
  const { message, path } = issue;
  const field = nameOf(path);
  if (!message.startsWith('must ')) return `${field}: ${message}`;
  const value = valueAt(input, path);
  return value === undefined
    ? `${field} is required: it ${message}`
    : `${field} ${message}, not ${describeValue(value)}`;
}

/** Whether the message comes from the schema library. */
function isOfLibrary({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'custom'
    ? message === 'Invalid input'
    : /^(?:Invalid |Too (?:small|big)|Unrecognized key)/.test(message);
}

/** Describe one invalid field for the model: the field, the expected and the given value. */
export function describeInputIssue(
  issue: z.core.$ZodIssue,
  input: unknown,
  nameOf: NameOf = nameOfInput,
): string {
  const field = nameOf(issue.path);
  const value = valueAt(input, issue.path);
  switch (issue.code) {
    case 'invalid_type': {
      const expected = nounOf(issue);
      if (value === undefined) return `${field} is required (${expected})`;
      const isInfinite = typeof value === 'number' && !Number.isFinite(value);
      return `${field} must be ${isInfinite ? 'a finite number' : expected}, not ${describeValue(value)}`;
    }
    case 'invalid_value':
      return describeChoice(field, value, issue.values);
    case 'too_small':
    case 'too_big': {
      const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum;
      const relation = issue.code === 'too_small' ? 'least' : 'most';
      const exclusive = issue.inclusive === false;
      const one = UNITS[issue.origin] ?? '';
      const unit = one === '' || Number(bound) === 1 ? one : `${one}s`;
      const range = exclusive
        ? `${relation === 'least' ? 'more' : 'less'} than ${bound}`
        : `at ${relation} ${bound}`;
      return `${field} must ${unit === '' ? 'be' : 'have'} ${range}${unit}, not ${describeValue(value)}`;
    }
    case 'invalid_union': {
      if ('options' in issue) return describeChoice(field, value, issue.options ?? []);
      if (value === undefined) return `${field} is required`;
      const meant = issue.errors.find((issues) => !issues.some(isOtherType))?.[0];
      if (meant !== undefined)
        return describeIssue({ ...meant, path: [...issue.path, ...meant.path] }, input, nameOf);
      const forms = issue.errors.flat().flatMap((one) => (isOtherType(one) ? nounOf(one) : []));
      const allowed = [...new Set(forms)].join(' or ') || 'of one of the allowed forms';
      return `${field} must be ${allowed}, not ${describeValue(value)}`;
    }
    case 'unrecognized_keys':
      return `${field}: there is no "${issue.keys.join('", "')}" here`;
    case 'invalid_key': {
      const name = issue.path.at(-1);
      const [inner] = issue.issues;
      const why = inner === undefined ? '' : `: ${describeIssue(inner, name, () => 'it')}`;
      return `${nameOf(issue.path.slice(0, -1))}: ${JSON.stringify(name)} cannot be a name here${why.replace(': it: ', ': ')}`;
    }
    case 'invalid_format':
      return isOfLibrary(issue)
        ? `${field} must ${formOf(issue)}, not ${describeValue(value)}`
        : `${field}: ${issue.message}`;
    case 'not_multiple_of':
      return `${field} must be a multiple of ${issue.divisor}, not ${describeValue(value)}`;
    default:
      return isOfLibrary(issue)
        ? `${field} cannot be ${describeValue(value)}`
        : `${field}: ${issue.message}`;
  }
}

function nameOfInput(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'the input' : formatPath(path);
}

/** End a sentence with a full stop. */
export function withFullStop(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

function describeChoice(field: string, value: unknown, choices: readonly unknown[]): string {
  const isOne = choices.length === 1;
  const allowed = `${isOne ? '' : 'one of '}${choices.map((one) => JSON.stringify(one)).join(', ')}`;
  if (value === undefined) return `${field} is required (${allowed})`;
  const names = choices.filter((one) => typeof one === 'string');
  const near = typeof value === 'string' ? nearestName(value, names) : undefined;
  const hint = near === undefined ? '' : `. Did you mean "${near}"?`;
  return `${field} must be ${allowed}, not ${describeValue(value)}${hint}`;
}

function formOf({ format, pattern }: z.core.$ZodIssueInvalidStringFormat): string {
  if (format === 'regex' && pattern !== undefined) return `match ${pattern}`;
  return `be a valid ${format === 'uuid' || format === 'url' ? format.toUpperCase() : format}`;
}

/** Whether the value has another type, and so is no attempt at this form. */
function isOtherType(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueInvalidType {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}

function nounOf({ expected }: z.core.$ZodIssueInvalidType): string {
  return NOUNS[expected] ?? expected;
}

/** Describe a value in a few words, with its text cut. */
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

/** `tasks[0].name`. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}

/** The value at a path; undefined if there is none. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key]; // an own property, just checked
  }
  return value;
}
