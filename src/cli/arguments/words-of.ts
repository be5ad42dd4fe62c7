import { UsageError } from '../../core/errors.js';
import type { FlagValues } from './read-flags.js';
import { refuseOtherFlags } from './refuse-other-flags.js';
import { SUBCOMMANDS, usageOf, type SubcommandName } from './subcommands.js';

/** @returns the words after the subcommand's name. @throws UsageError for more of them, or for a flag it does not have */
export function wordsOf(
  name: SubcommandName,
  flags: FlagValues,
  mostWords: number,
): readonly string[] {
  const [, ...words] = flags.words;
  const more = words[mostWords];
  if (more !== undefined)
    throw new UsageError(`${name} takes no "${more}". Usage: ${usageOf(name)}`);
  refuseOtherFlags(name, flags, SUBCOMMANDS[name].flags);
  return words;
}
