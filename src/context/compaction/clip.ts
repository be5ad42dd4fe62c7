/** Shorten a text to about `maxChars`: its beginning and its end stay. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, Math.ceil((maxChars * 2) / 3)).replace(HALF_AT_END, '');
  const tail = text.slice(text.length - Math.floor(maxChars / 3)).replace(HALF_AT_START, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** Half of a character: a cut may leave one, and endpoints refuse it. */
const HALF_AT_END = /[\ud800-\udbff]$/;
const HALF_AT_START = /^[\udc00-\udfff]/;
