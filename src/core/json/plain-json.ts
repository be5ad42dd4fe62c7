/** Deepest nesting of a value that is written whole. */
const DEEPEST = 1_000;

/**
 * Return a copy of a value through JSON, without functions, `undefined` and anything that could change or throw later.
 *
 * @throws TypeError if JSON cannot express the value: a BigInt, a cycle, a member that throws
 */
export function toPlainJson(value: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value) as string | undefined; // for undefined and functions
  } catch (error) {
    throw new TypeError(`JSON cannot express this value: ${reasonOf(error)}`, { cause: error });
  }
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/** Write a value as JSON for a record. Parts that JSON cannot express are described in their place. Never throws. */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(describable(value, []));
  }
}

function describable(value: unknown, above: readonly unknown[]): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '[circular]';
  if (above.length >= DEEPEST) return '[nested too deep]';
  try {
    const inside = [...above, value];
    if (Array.isArray(value)) return value.map((one) => describable(one, inside));
    if ('toJSON' in value && typeof value.toJSON === 'function')
      return describable((value.toJSON as () => unknown)(), inside);
    return Object.fromEntries(
      Object.keys(value).map((key) => [key, memberOf(value, key, inside)] as const),
    );
  } catch (error) {
    return `[unreadable: ${reasonOf(error)}]`;
  }
}

function memberOf(value: object, key: string, above: readonly unknown[]): unknown {
  try {
    return describable((value as Record<string, unknown>)[key], above); // one of its own keys
  } catch (error) {
    return `[unreadable: ${reasonOf(error)}]`;
  }
}

function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  } catch {
    return 'it throws';
  }
}
