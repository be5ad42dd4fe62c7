/** Use a value at once if it is known, or when its promise has it: a known value costs no promise. */
export function whenKnown<T, Result>(
  value: T | Promise<T>,
  use: (value: T) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}
