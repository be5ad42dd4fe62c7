import fc from 'fast-check';

type Texts = fc.Arbitrary<string>;

const from = (...texts: readonly string[]): Texts => fc.constantFrom(...texts);
const joined = (...parts: readonly Texts[]): Texts =>
  fc.tuple(...parts).map((texts) => texts.join(''));
const listOf = (part: Texts, maxLength: number): Texts =>
  fc.array(part, { maxLength }).map((texts) => texts.join(''));
const mixed = (...parts: readonly (readonly [weight: number, arbitrary: Texts])[]): Texts =>
  fc.oneof(...parts.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const maybe = (part: Texts): Texts => mixed([2, from('')], [1, part]);

/** Commands that `sed --sandbox` refuses. */
const HARM = ['e id', 'w f', 'r f', 's/a/b/e', 's,a,b,w f', '1e', 'W f', 'R f', 'e'];

const set = (delimiter: string): Texts =>
  joined(
    from('[', '[^', '[]', '[^]'),
    listOf(
      mixed(
        [8, from('a', 'b-z', '0-9', '^', '-', '\\', '$', ' ', '\\n', '\\]')],
        [6, from(delimiter, `s${delimiter}`, `${delimiter}e id #`)],
        [4, from('[:alpha:]', '[:space:]', '[=a=]', '[.-.]', '[.].]', '[=]=]', '[.[.]')],
        [1, from('[', '[:', '[.', '[=', '[a', ':]', '[:x]', '[::]', '[.ab.]')],
      ),
      4,
    ),
    mixed([15, from(']')], [1, from('')]),
  );

const patternPart = (delimiter: string): Texts =>
  mixed(
    [20, from('a', 'b', 'x', '.', '^', '$', ' ', '-', '=', ':', '#', ';')],
    [8, from('\\n', '\\.', '\\(a\\)', '\\[', '\\]', '\\\\', '\\;', 'a*')],
    [2, from(`\\${delimiter}`, '}', '{')],
    [15, set(delimiter)],
    [1, from(delimiter, '[', ']', '[]', '[^]', '\\', '\n')],
    [1, from(...HARM, ...HARM.map((harm) => `${delimiter}${harm} #`))],
  );
const pattern = (delimiter: string): Texts => listOf(patternPart(delimiter), 4);
const replacement = (delimiter: string): Texts =>
  listOf(mixed([9, from('x', '&', '\\n', '[', ']', ' ', '\\\n')], [1, patternPart(delimiter)]), 3);

const delimiters = mixed(
  [9, from('/')],
  [9, from(',', '|', '#', '!', '_', '%', '@', ':', '.', '-', '&', '?', '=')],
  [1, from('[', ']', 'a', ';', '{')],
);

const regexAddress = mixed(
  [3, joined(from('/'), pattern('/'), from('/'))],
  [1, delimiters.chain((d) => joined(from(`\\${d}`), pattern(d), from(d)))],
);
const address = mixed(
  [2, from('1', '2', '$', '1~2', '10')],
  [2, joined(regexAddress, mixed([5, from('')], [1, from('I', 'M', 'IM')]))],
);
const addresses = joined(
  maybe(
    joined(
      address,
      maybe(joined(from(',', ' , ', ', '), mixed([3, address], [1, from('+1', '~2')]))),
    ),
  ),
  mixed([6, from('')], [2, from('!', ' ! ', ' ')], [1, from('!!', '\t')]),
);

const substitution = delimiters.chain((d) =>
  joined(
    from(`s${d}`),
    pattern(d),
    from(d),
    replacement(d),
    from(d),
    mixed([9, from('', 'g', 'p', 'gp', '2', 'I', 'M')], [1, from('e', 'w f', 'gw f', ' g', 'm2')]),
  ),
);
const text = joined(
  from('a', 'i', 'c'),
  mixed([6, from(' ', '', '\\\n', '\\')], [1, from('\\ ', '\\\n  ', ' \\', '\\\\\n', '\\ \n')]),
  listOf(from('text', ' ', '\\', '\\\n', '\\t', ';', '}', '{', '#', 'e id', '\nw f', 'w f'), 4),
);
const command = joined(
  addresses,
  mixed(
    [6, substitution],
    [6, from(...'p d D P n N h H g G x z = F l q Q b t'.split(' '), 'q5', 'l 5', 'Q 1')],
    [1, from('{p;d}', '{s/[;}]/e/}', '{\np\n}', '{p', '}', 'y/a[/b]/', 'y,a\\,,[],')],
    [1, from(':a', ': a', 'be', '# e id', '#n', 'v', 'L', 'k', ...HARM)],
    [3, text],
  ),
);
const separator = mixed(
  [9, from(';', '; ', '\n', ' ;', ' # c\n', ';#e id\n', '\n\n')],
  [1, from('', ' ', '}', ';;')],
);
const script = fc
  .tuple(command, fc.array(joined(separator, command), { maxLength: 2 }))
  .map(([first, rest]) => first + rest.join(''));

const withOption = fc
  .tuple(from('-e', '-e ', '--expression='), mixed([5, script], [1, from(...HARM)]))
  .map(([option, one]) => (option === '-e ' ? ['-e', one] : [option + one]));

/** The arguments of a `sed`: one script, or several with `-e`, each of which may end within a command. */
export const sedArguments: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.subarray(['-n', '-E', '-s', '-z', '--posix'], { maxLength: 2 }),
    fc.oneof(
      { weight: 3, arbitrary: script.map((one) => [one]) },
      { weight: 1, arbitrary: fc.array(withOption, { minLength: 1, maxLength: 2 }) },
    ),
  )
  .map(([options, scripts]) => [...options, ...scripts.flat()]);
