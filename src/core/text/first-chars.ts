/** The first `most` characters of a text, without half of one at the end. */
export function firstChars(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
