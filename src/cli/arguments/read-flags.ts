import { UsageError } from '../../core/errors.js';
import { FLAGS, findFlag, nearestFlag, type Flag, type FlagName } from './flags.js';

export type FlagValues = {
  readonly given: ReadonlySet<FlagName>;
  /** The values of a flag in the order in which they were given. */
  values(name: FlagName): readonly string[];
  /** The last value of a flag. */
  value(name: FlagName): string | undefined;
  readonly words: readonly string[];
};

/**
 * Splits a command line into flags and words: `--flag value`, `--flag=value`,
 * `--flag value value` of one that takes several, and whatever follows `--` is words.
 *
 * @throws UsageError for a flag that does not exist, lacks its value, or takes none
 */
export function readFlags(args: readonly string[]): FlagValues {
  const found = new Map<FlagName, string[]>();
  const words: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] as string; // counted
    if (word === '--') {
      words.push(...args.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const { name, inline } = nameOf(word);
    const list = found.get(name) ?? [];
    found.set(name, list);
    const flag: Flag = FLAGS[name];
    if (flag.value === undefined) {
      if (inline !== undefined) throw new UsageError(`${name} takes no value.`);
      continue;
    }
    const next = args[index + 1];
    const value = inline ?? (next?.startsWith('--') ? undefined : next);
    if (value === undefined)
      throw new UsageError(`${name} needs a value: ${name} ${flag.value} (${flag.help}).`);
    if (inline === undefined) index += 1;
    if (list.length > 0 && flag.isList !== true)
      throw new UsageError(`${name} was given twice. Give it once.`);
    list.push(value);
    if (flag.isVariadic !== true || inline !== undefined) continue;
    while (args[index + 1]?.startsWith('-') === false) {
      index += 1;
      list.push(args[index] as string); // just looked at
    }
  }
  return {
    given: new Set(found.keys()),
    values: (name) => found.get(name) ?? [],
    value: (name) => found.get(name)?.at(-1),
    words,
  };
}

function nameOf(word: string): { readonly name: FlagName; readonly inline: string | undefined } {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  const written = equals === -1 ? word : word.slice(0, equals);
  const name = findFlag(written);
  if (name !== undefined)
    return { name, inline: equals === -1 ? undefined : word.slice(equals + 1) };
  const nearest = nearestFlag(written);
  const hint =
    nearest === undefined
      ? 'See troupe --help; a prompt that begins with "-" goes after "--".'
      : `Did you mean ${nearest}?`;
  throw new UsageError(`There is no flag ${written}. ${hint}`);
}
