import { UsageError } from '../../api/errors.js';
import { nearestName } from '../../api/text.js';
import type { CommandLine } from './command-line.js';
import { choicesOf, type ChoiceFlag, type ChoiceOf, type FlagName } from './flags.js';

/** The value of a flag that takes one of a few words. @throws UsageError */
export function oneOf<Name extends ChoiceFlag>(
  line: CommandLine,
  name: Name,
): ChoiceOf<Name> | undefined {
  const value = line.value(name);
  if (value === undefined) return undefined;
  const choices = choicesOf(name);
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const near = nearestName(value, choices);
  const hint = near === undefined ? `Choose ${choices.join(', ')}.` : `Did you mean ${near}?`;
  throw new UsageError(`${name}: there is no "${value}". ${hint}`);
}

/** The value of a flag that must not be blank. @throws UsageError */
export function filled(line: CommandLine, name: FlagName): string | undefined {
  const value = line.value(name);
  if (value?.trim() === '') throw new UsageError(`${name} is empty.`);
  return value;
}

/** The value of a flag that is a whole number. @throws UsageError */
export function countOf(line: CommandLine, name: FlagName, least: 0 | 1 = 1): number | undefined {
  const value = line.value(name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value) || Number(value) < least)
    throw new UsageError(`${name}: "${value}" is not a whole number from ${least} up.`);
  return Number(value);
}
