import type { ShellWord } from '../words/shell-token.js';

/**
 * Long options whose value is a pattern, a format, a date or a number, in full: a beginning of one may be another
 * option.
 */
const NO_FILE: ReadonlySet<string> = new Set(
  [
    'include exclude exclude-dir regexp expression label format printf pretty grep author committer date',
    'since until after before ignore hide ignore-matching-lines word-diff-regex color colour block-size',
    'lines bytes max-count max-depth context after-context before-context unified width sort time binary-files',
  ].flatMap((line) => line.split(' ')),
);

/** Whether the value of a long option is certainly no file. */
export function takesNoFile(name: string): boolean {
  return NO_FILE.has(name);
}

/**
 * The files that an option may name: the value of a long option, which may be abbreviated, and the text attached to one
 * of the letters.
 */
export function optionFiles(word: ShellWord, letters = 'fXot'): readonly ShellWord[] {
  const toValue = (text: string): ShellWord => ({ ...word, text, isTilde: false });
  const long = /^--([^=]*)=(.*)$/s.exec(word.text);
  if (long !== null) return takesNoFile(long[1] ?? '') ? [] : [toValue(long[2] ?? '')];
  if (word.text.startsWith('--')) return [];
  const values: ShellWord[] = [];
  for (let index = 1; /[A-Za-z]/.test(word.text[index] ?? ''); index++) {
    const value = word.text.slice(index + 1);
    if (letters.includes(word.text[index] ?? '-') && value !== '') values.push(toValue(value));
  }
  return values;
}
