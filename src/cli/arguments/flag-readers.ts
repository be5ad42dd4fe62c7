import { UsageError } from '../../core/errors.js';
import type { FlagName } from './flags.js';
import type { FlagValues } from './read-flags.js';

/** The value of a flag that takes one of a few words. @throws UsageError */
export function oneOf<const T extends string>(
  flags: FlagValues,
  name: FlagName,
  choices: readonly T[],
): T | undefined {
  const value = flags.value(name);
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined)
    throw new UsageError(`${name}: there is no "${value}". Choose ${choices.join(', ')}.`);
  return found;
}

/** The value of a flag that must have something on it. @throws UsageError */
export function filled(flags: FlagValues, name: FlagName): string | undefined {
  const value = flags.value(name);
  if (value?.trim() === '') throw new UsageError(`${name} is empty.`);
  return value;
}
