const INDENT = '  ';

/** On a narrower terminal the second text is below the first. */
const LEAST_FOR_TWO_COLUMNS = 72;

/** Two texts side by side: the second is wrapped, and begins on a line of its own if the first is longer than its column. */
export function twoColumns(
  left: string,
  right: string,
  { width, column }: { readonly width: number; readonly column: number },
): string {
  if (width < LEAST_FOR_TWO_COLUMNS) {
    const below = wrapWords(right, width - 3 * INDENT.length).split('\n');
    return [INDENT + left, ...below.map((line) => INDENT.repeat(3) + line)].join('\n');
  }
  const indent = ' '.repeat(column + INDENT.length + 1);
  const [first = '', ...more] = wrapWords(right, Math.max(width - indent.length, 20)).split('\n');
  const rest = more.map((line) => `\n${indent}${line}`).join('');
  return left.length > column
    ? `${INDENT}${left}\n${indent}${first}${rest}`
    : `${INDENT}${left.padEnd(column)} ${first}${rest}`;
}

/** Wrap ASCII text to lines of at most `width` characters, if its words allow it. */
export function wrapWords(text: string, width: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string; // never empty
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
