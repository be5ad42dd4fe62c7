/** Index behind the delimiter that closes what starts at `start`, quotes and nesting respected; -1 where none does. */
export function endOfNested(source: string, start: number, open: string, close: string): number {
  let depth = 1;
  for (let index = start; index < source.length; index++) {
    const char = source[index];
    if (char === '\\') index++;
    else if (char === "'") {
      index = source.indexOf("'", index + 1);
      if (index < 0) return -1;
    } else if (char === '"') {
      index = endOfDoubleQuotes(source, index + 1) - 1;
      if (index < 0) return -1;
    } else if (char === '`') {
      index = endOfBackticks(source, index + 1) - 1;
      if (index < 0) return -1;
    } else if (char === open) depth++;
    else if (char === close && --depth === 0) return index + 1;
  }
  return -1;
}

/** Index behind the closing double quote, or -1. */
export function endOfDoubleQuotes(source: string, start: number): number {
  for (let index = start; index < source.length; index++) {
    const char = source[index];
    if (char === '\\') index++;
    else if (char === '"') return index + 1;
    else if (char === '`') {
      index = endOfBackticks(source, index + 1) - 1;
      if (index < 0) return -1;
    } else if (char === '$' && (source[index + 1] === '(' || source[index + 1] === '{')) {
      const [open, close] = source[index + 1] === '(' ? ['(', ')'] : ['{', '}'];
      index = endOfNested(source, index + 2, open, close) - 1;
      if (index < 0) return -1;
    }
  }
  return -1;
}

/** Index behind the closing backtick, or -1. */
export function endOfBackticks(source: string, start: number): number {
  for (let index = start; index < source.length; index++) {
    if (source[index] === '\\') index++;
    else if (source[index] === '`') return index + 1;
  }
  return -1;
}

/**
 * The source of every substitution in text that is expanded without being words: a here-document, the inside of
 * `${…}` or of `$((…))`. Quotes mean nothing there, so none are looked at.
 */
export function substitutionsIn(text: string): readonly string[] {
  const found: string[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '\\') index++;
    else if (char === '`') {
      const end = endOfBackticks(text, index + 1);
      found.push(unescapeBackticks(text.slice(index + 1, end < 0 ? text.length : end - 1)));
      index = end < 0 ? text.length : end - 1;
    } else if (/[$<>]/.test(char ?? '') && text[index + 1] === '(') {
      const end = endOfNested(text, index + 2, '(', ')');
      found.push(text.slice(index + 2, end < 0 ? text.length : end - 1));
      if (end >= 0) index = end - 1;
    }
  }
  return found;
}

/** Inside backticks a backslash escapes only backslash, backtick and dollar. */
export function unescapeBackticks(text: string): string {
  return text.replace(/\\([\\`$])/g, '$1');
}
