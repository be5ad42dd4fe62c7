/** The options of a program that are known to be harmless. */
export type KnownOptions = {
  /** Letters that may be bundled: `-rn`. */
  readonly flags: string;
  /** Letters with a value, in the same word or the next. */
  readonly withValue?: string;
  /** Long options, in full: abbreviations of them are unknown. */
  readonly long?: readonly string[];
  /** Long options with a value, behind `=` or in the next word. */
  readonly longWithValue?: readonly string[];
};

export type ParsedOptions = {
  /** Option letters and long names found, with their values. */
  readonly options: readonly { readonly name: string; readonly value?: string }[];
  /** Indices of the words that are no options. */
  readonly operands: readonly number[];
};

/** Split the words behind a program's name into options and operands; undefined if an option is unknown. */
export function parseOptions(
  words: readonly string[],
  known: KnownOptions,
): ParsedOptions | undefined {
  const options: { name: string; value?: string }[] = [];
  const operands: number[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      for (let rest = index + 1; rest < words.length; rest++) operands.push(rest);
      break;
    }
    if (word.startsWith('--')) {
      const [name = '', ...values] = word.slice(2).split('=');
      if (values.length === 0 && known.long?.includes(name) === true) options.push({ name });
      else if (known.longWithValue?.includes(name) === true) {
        const value = values.length > 0 ? values.join('=') : words[++index];
        if (value === undefined) return undefined;
        options.push({ name, value });
      } else return undefined;
    } else if (word.startsWith('-') && word !== '-') {
      for (let at = 1; at < word.length; at++) {
        const letter = word[at] ?? '';
        if (known.withValue?.includes(letter) === true) {
          const attached = word.slice(at + 1);
          const value = attached === '' ? words[++index] : attached;
          if (value === undefined) return undefined;
          options.push({ name: letter, value });
          break;
        }
        if (!known.flags.includes(letter)) return undefined;
        options.push({ name: letter });
      }
    } else operands.push(index);
  }
  return { options, operands };
}
