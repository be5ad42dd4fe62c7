/** Values of the placeholders in the text of a skill. */
export type SkillValues = {
  /** The arguments as they were typed. */
  readonly args: string;
  /** Names of arguments, in their order. */
  readonly argNames: readonly string[];
  /** Values of `${NAME}`. */
  readonly variables: Readonly<Record<string, string>>;
};

/**
 * Fill in the placeholders of a text in one pass, so that no value is read as a placeholder: `$ARGUMENTS`,
 * `$ARGUMENTS[0]`, `$0`, `$name`, and `${CLAUDE_SKILL_DIR}` and its likes. An argument by number that was not given stays
 * as it is; one by name is empty. One backslash in front of `$` keeps a placeholder of arguments.
 */
export function fillArguments(text: string, { args, argNames, variables }: SkillValues): string {
  const words = splitArguments(args);
  const valueOf = ({ index, digits, name }: Placeholder): string | undefined => {
    const position = index ?? digits;
    if (position !== undefined) return words[Number(position)];
    if (name === 'ARGUMENTS') return args;
    return words[argNames.indexOf(name ?? '')] ?? '';
  };
  return text.replace(placeholders(argNames), (whole: string, ...rest) => {
    const found = rest.at(-1) as Placeholder; // the named groups come last
    const offset = rest.at(-3) as number;
    const slash = whole.startsWith('\\') ? '\\' : '';
    if (found.variable !== undefined) {
      const value = Object.hasOwn(variables, found.variable)
        ? variables[found.variable]
        : undefined;
      return value === undefined ? whole : slash + value;
    }
    if (isEscaped(text, whole, offset)) return whole.slice(1);
    const value = valueOf(found);
    return value === undefined ? whole : slash + value;
  });
}

/** Whether a text has a place for its arguments. */
export function takesArguments(text: string, argNames: readonly string[]): boolean {
  for (const { 0: whole, index, groups } of text.matchAll(placeholders(argNames)))
    if (groups?.['variable'] === undefined && !isEscaped(text, whole, index)) return true;
  return false;
}

type Placeholder = {
  readonly [Part in 'variable' | 'index' | 'digits' | 'name']?: string | undefined;
};

function placeholders(argNames: readonly string[]): RegExp {
  const names = ['ARGUMENTS', ...argNames.toSorted((a, b) => b.length - a.length)];
  const all = names.map((name) => name.replace(/[^\w]/g, String.raw`\$&`)).join('|');
  return new RegExp(
    String.raw`\\?\$(?:\{(?<variable>\w+)\}|ARGUMENTS\[(?<index>\d+)\]|(?<digits>\d+)(?!\w)|(?<name>${all})(?!\w))`,
    'g',
  );
}

/** Whether exactly one backslash is in front of the `$`. */
function isEscaped(text: string, whole: string, offset: number): boolean {
  return whole.startsWith('\\') && text[offset - 1] !== '\\';
}

/** Split like a shell: a text in quotes is one argument. */
export function splitArguments(args: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < args.length; at += 1) {
    const char = args.charAt(at);
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' && (char === '"' || char === "'")) {
      quote = args.includes(char, at + 1) ? char : '';
      word = (word ?? '') + (quote === '' ? char : '');
    } else if (quote !== '' && char === quote) quote = '';
    else word = (word ?? '') + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}
