import { UsageError } from '../../api/errors.js';
import { toSessionId } from '../../api/messages.js';
import { nearestName } from '../../api/text.js';
import type { CommandLine } from './command-line.js';
import type { SharedOptions } from '../../api/types.js';
import type { ValueForm } from './flag-table.js';
import {
  choicesOf,
  FLAG_NAMES,
  flagOf,
  type ChoiceFlag,
  type ChoiceOf,
  type FlagName,
} from './flags.js';

const READERS = {
  amount: amountOf,
  count: countOf,
  line: lineOf,
  switch: (line, name) => line.given.has(name) || undefined,
  uuid: uuidOf,
} satisfies Record<ValueForm, (line: CommandLine, name: FlagName) => unknown>;

/** Read the flags that set an option of the session. @throws UsageError */
export function readSharedOptions(line: CommandLine): SharedOptions {
  const read = FLAG_NAMES.flatMap((name) => {
    const { sets } = flagOf(name);
    const value = sets && READERS[sets.as](line, name);
    return sets === undefined || value === undefined ? [] : [[sets.option, value] as const];
  });
  return Object.fromEntries(read); // the session checks them
}

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

/** The port to listen on: a free one if none is given. @throws UsageError */
export function portOf(line: CommandLine): number {
  const value = line.value('--port') ?? '0';
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError(`--port: "${value}" is not a port, such as 8808; 0 is a free one.`);
}

function amountOf(line: CommandLine, name: FlagName): number | undefined {
  const value = line.value(name);
  if (value === undefined) return undefined;
  if (!/^(?:\d{1,9}(?:\.\d*)?|\.\d+)$/.test(value) || Number(value) === 0)
    throw new UsageError(`${name}: "${value}" is not an amount of USD above 0, such as 5 or 0.5.`);
  return Number(value);
}

function lineOf(line: CommandLine, name: FlagName): string | undefined {
  const text = filled(line, name)?.trim();
  if (text !== undefined && /[\r\n]/.test(text))
    throw new UsageError(`${name} has several lines. Give one.`);
  return text;
}

function uuidOf(line: CommandLine, name: FlagName): string | undefined {
  const value = line.value(name);
  if (value !== undefined && toSessionId(value) === null)
    throw new UsageError(
      `${name}: "${value}" is not a UUID, such as 3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11.`,
    );
  return value;
}
