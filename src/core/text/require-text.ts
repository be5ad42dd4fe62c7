import { UsageError } from '../errors.js';

/** Check a path, name or ID of a program. @throws UsageError that names the argument */
export function requireText(place: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '')
    throw new UsageError(`${place} must be a text that is not empty, not ${describe(value)}.`);
}

/**
 * Check the options of a function that takes texts.
 *
 * @param place the function, for the message
 * @returns the options
 * @throws UsageError that names the option
 */
export function requireTexts<Options extends object>(
  place: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): Options {
  if (typeof options !== 'object' || options === null)
    throw new UsageError(`${place}: the options must be an object, not ${describe(options)}.`);
  for (const name of names) requireText(`${place}: ${name}`, options[name]);
  return options;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'string' ? JSON.stringify(value) : `a value of type ${typeof value}`;
}
