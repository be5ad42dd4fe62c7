import { parseArgs } from 'node:util';
import { UsageError } from '../../api/errors.js';
import { FLAG_NAMES, findFlag, flagOf, nearestFlag, type FlagName } from './flags.js';
import { FLAGS_WITH_A_VALUE, findOtherFlag } from './other-flags.js';

/** A command line, split into words and flags. */
export type CommandLine = {
  readonly words: readonly string[];
  readonly given: ReadonlySet<FlagName>;
  /** The values of a flag in the order in which they were given. */
  values(name: FlagName): readonly string[];
  /** The last value of a flag. */
  value(name: FlagName): string | undefined;
  /** Flags that are accepted and change nothing. */
  readonly ignored: readonly { readonly flag: string; readonly note: string | undefined }[];
};

/**
 * Split a command line, without the program's own name. `--flag value` and `--flag=value` are the same, short flags may be
 * joined (`-pc`), and everything after `--` is words.
 *
 * @throws UsageError for a flag that does not exist or is not supported, lacks its value, or takes none
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const found = new Map<FlagName, string[]>();
  const words: string[] = [];
  const ignored: CommandLine['ignored'][number][] = [];
  let open: FlagName | undefined; // may get further values
  const { bare, others } = withoutBare(args);
  for (const name of bare) found.set(name, []);
  for (const token of tokensOf(others)) {
    if (token.kind === 'positional' && open !== undefined && isFurtherValue(token.value, open)) {
      found.get(open)?.push(token.value);
      continue;
    }
    open = undefined;
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const name = findFlag(token.rawName);
    if (name === undefined) {
      ignored.push({ flag: token.rawName, note: noteOn(token.rawName) });
      continue;
    }
    const values = found.get(name) ?? [];
    const value = checkedValue(name, token, values.length);
    found.set(name, value === undefined ? values : [...values, value]);
    if (flagOf(name).isVariadic === true && !token.inlineValue) open = name;
  }
  return {
    words,
    given: new Set(found.keys()),
    values: (name) => found.get(name) ?? [],
    value: (name) => found.get(name)?.at(-1),
    ignored,
  };
}

/** The syntax of every flag for Node's parser. */
const SYNTAX = Object.fromEntries([
  ...FLAG_NAMES.flatMap((name) => {
    const { aliases = [], value } = flagOf(name);
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    const short = aliases.find((alias) => !alias.startsWith('--'))?.slice(1);
    const option = short === undefined ? { type } : { type, short };
    const longOnes = [name, ...aliases.filter((alias) => alias.startsWith('--'))];
    return longOnes.map((long) => [long.slice(2), option] as const);
  }),
  ...FLAGS_WITH_A_VALUE.map((name) => [name.slice(2), { type: 'string' as const }] as const),
]);

function tokensOf(args: readonly string[]) {
  const how = { options: SYNTAX, strict: false, allowPositionals: true, tokens: true } as const;
  return parseArgs({ args: [...args], ...how }).tokens;
}

/** Take out the flags that stand without their optional value: at the end, or in front of another flag. */
function withoutBare(args: readonly string[]) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const bare: FlagName[] = [];
  const others = args.filter((arg, at) => {
    const name = at < end && /^--?[a-z]/.test(arg) ? findFlag(arg) : undefined;
    if (name === undefined || flagOf(name).isOptional !== true) return true;
    if (at + 1 < end && args[at + 1]?.startsWith('-') === false) return true;
    bare.push(name);
    return false;
  });
  return { bare, others };
}

/** @throws UsageError */
function checkedValue(
  name: FlagName,
  {
    value,
    inlineValue,
  }: { readonly value?: string | undefined; readonly inlineValue?: boolean | undefined },
  earlier: number,
): string | undefined {
  const flag = flagOf(name);
  if (flag.value === undefined) {
    if (value !== undefined) throw new UsageError(`${name} takes no value.`);
    return undefined;
  }
  if (value === undefined || (inlineValue !== true && value.startsWith('--')))
    throw new UsageError(`${name} needs a value: ${name} ${flag.value} (${flag.help}).`);
  if (earlier > 0 && flag.isList !== true)
    throw new UsageError(`${name} was given twice. Give it once.`);
  return value;
}

/** A prompt may come after the values, so a further value is known by its form. */
function isFurtherValue(word: string, name: FlagName): boolean {
  const { furtherValues = /^/ } = flagOf(name);
  return !word.startsWith('-') && furtherValues.test(word);
}

/** Return the note on a flag that is accepted without effect. @throws UsageError for any other flag */
function noteOn(written: string): string | undefined {
  const other = findOtherFlag(written);
  if (other?.type === 'accepted') return other.note;
  if (other !== undefined) throw new UsageError(`${written} is not supported. ${other.why}`);
  const nearest = nearestFlag(written);
  const hint =
    nearest === undefined
      ? 'See troupe --help; a prompt that begins with "-" goes after "--".'
      : `Did you mean ${nearest}?`;
  throw new UsageError(`There is no flag ${written}. ${hint}`);
}
