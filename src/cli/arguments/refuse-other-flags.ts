import { UsageError } from '../../core/errors.js';
import type { FlagName } from './flags.js';
import type { FlagValues } from './read-flags.js';

/** @throws UsageError for a flag that this command does not have */
export function refuseOtherFlags(
  command: string,
  { given, ignored }: Pick<FlagValues, 'given' | 'ignored'>,
  known: readonly FlagName[],
): void {
  const other = [...given].find((name) => !known.includes(name)) ?? ignored[0]?.flag;
  if (other === undefined) return;
  if (known.length === 0) throw new UsageError(`${command} takes no ${other}, and no other flag.`);
  const names = [known.slice(0, -1).join(', '), known.at(-1)].filter(Boolean).join(' and ');
  throw new UsageError(`${command} takes no ${other}, only ${names}.`);
}
