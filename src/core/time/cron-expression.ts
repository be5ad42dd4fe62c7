/** A field of a cron expression: its range and its name. */
type Field = {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly largestStep: number;
  /** Three letters each, the first for 0. */
  readonly words?: readonly string[];
};

const FIELDS: readonly Field[] = [
  { name: 'minute', least: 0, most: 59, largestStep: 60 },
  { name: 'hour', least: 0, most: 23, largestStep: 24 },
  { name: 'day of month', least: 1, most: 31, largestStep: 30 },
  {
    name: 'month',
    least: 1,
    most: 12,
    largestStep: 11,
    words: ['', ...'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')],
  },
  {
    name: 'day of week',
    least: 0,
    most: 7,
    largestStep: 7,
    words: 'SUN MON TUE WED THU FRI SAT'.split(' '),
  },
];

export const CRON_EXAMPLE =
  '"*/15 9-17 * * 1-5" is every 15 minutes from 9:00 to 17:45, Monday to Friday';

/**
 * Return the problem of a cron expression with five fields, with its column; undefined if it is valid. A field is `*`,
 * a number or name, a range `1-5`, a step of one of those (`0-30/10`), or a list of them.
 */
export function findCronProblem(text: string): string | undefined {
  const fields = [...text.matchAll(/\S+/g)];
  if (fields.length !== FIELDS.length)
    return `it has ${fields.length} fields; it needs 5: minute, hour, day of month, month, day of week`;
  for (const [index, { 0: whole, index: start }] of fields.entries()) {
    const field = FIELDS[index] as Field; // as many as fields
    let column = start + 1;
    for (const item of whole.split(',')) {
      const problem = findItemProblem(item, field);
      if (problem !== undefined) return `column ${column} (${field.name}): ${problem}`;
      column += item.length + 1;
    }
  }
  return undefined;
}

function findItemProblem(item: string, field: Field): string | undefined {
  const { least, most } = field;
  const found = /^(?:\*|([0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?)(?:\/(\d+))?$/.exec(item);
  if (found === null)
    return `"${item}" is not a number, range (1-5), step (*/15) or list of them (1,15)`;
  const [, first, last, step] = found;
  for (const word of [first, last])
    if (word !== undefined && toNumber(word, field) === undefined)
      return `"${word}" is not within ${least}-${most}${field.words === undefined ? '' : ', and not a name'}`;
  if (first !== undefined && last !== undefined) {
    const from = toNumber(first, field) ?? 0;
    const to = last.toUpperCase() === 'SUN' ? most : (toNumber(last, field) ?? 0); // a week may end with Sunday
    if (from > to) return `the range "${item}" ends before it begins`;
  }
  if (step === undefined) return undefined;
  if (first !== undefined && last === undefined)
    return `a step needs a range: write "${first}-${most}/${step}" or "*/${step}"`;
  return Number(step) < 1 || Number(step) > field.largestStep
    ? `the step of "${item}" is not within 1-${field.largestStep}`
    : undefined;
}

function toNumber(word: string, { least, most, words = [] }: Field): number | undefined {
  const named = words.indexOf(word.toUpperCase());
  if (named !== -1 && word !== '') return named;
  if (!/^\d{1,2}$/.test(word)) return undefined;
  const value = Number(word);
  return value >= least && value <= most ? value : undefined;
}
