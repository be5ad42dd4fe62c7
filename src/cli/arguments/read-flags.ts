import { UsageError } from '../../core/errors.js';
import { FLAGS, findFlag, nearestFlag, type Flag, type FlagName } from './flags.js';
import { findOtherFlag } from './other-flags.js';

export type FlagValues = {
  readonly given: ReadonlySet<FlagName>;
  /** The values of a flag in the order in which they were given. */
  values(name: FlagName): readonly string[];
  /** The last value of a flag. */
  value(name: FlagName): string | undefined;
  readonly words: readonly string[];
  /** Flags that are accepted and change nothing. */
  readonly ignored: readonly { readonly flag: string; readonly note: string | undefined }[];
};

/**
 * Splits a command line into flags and words: `--flag value`, `--flag=value`,
 * `--flag value value` of one that takes several, and whatever follows `--` is words.
 *
 * @throws UsageError for a flag that does not exist or is not supported, lacks its value, or takes none
 */
export function readFlags(args: readonly string[]): FlagValues {
  const found = new Map<FlagName, string[]>();
  const words: string[] = [];
  const ignored: FlagValues['ignored'][number][] = [];
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
    const { written, inline } = splitFlag(word);
    const name = findFlag(written);
    if (name === undefined) {
      const { value: takes, note } = acceptedFlag(written);
      ignored.push({ flag: written, note });
      if (takes === 'one' && inline === undefined) index += 1;
      continue;
    }
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
    while (isFurtherValue(args[index + 1], flag)) {
      index += 1;
      list.push(args[index] as string); // just looked at
    }
  }
  return {
    given: new Set(found.keys()),
    values: (name) => found.get(name) ?? [],
    value: (name) => found.get(name)?.at(-1),
    words,
    ignored,
  };
}

/** A prompt may come after the values: where it could be one, a value is known by its form. */
function isFurtherValue(word: string | undefined, { furtherValues = /^/ }: Flag): boolean {
  return word !== undefined && !word.startsWith('-') && furtherValues.test(word);
}

function splitFlag(word: string): {
  readonly written: string;
  readonly inline: string | undefined;
} {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  if (equals === -1) return { written: word, inline: undefined };
  return { written: word.slice(0, equals), inline: word.slice(equals + 1) };
}

function acceptedFlag(written: string) {
  const other = findOtherFlag(written);
  if (other?.type === 'accepted') return other;
  if (other !== undefined) throw new UsageError(`${written} is not supported. ${other.why}`);
  const nearest = nearestFlag(written);
  const hint =
    nearest === undefined
      ? 'See troupe --help; a prompt that begins with "-" goes after "--".'
      : `Did you mean ${nearest}?`;
  throw new UsageError(`There is no flag ${written}. ${hint}`);
}
