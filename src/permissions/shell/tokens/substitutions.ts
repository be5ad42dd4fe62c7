import { withoutContinuations } from '../words/continuation.js';
import { endOfBackticks, endOfSubstitution } from './scan-nested.js';

/**
 * After this number of unclosed substitutions, each piece between parentheses counts: a search for the end of each
 * takes too long.
 */
const MAX_UNCLOSED = 4;

/**
 * The source of every substitution in text that is expanded without being split into words: a here-document, the inside
 * of `${…}` or of `$((…))`. Quotes have no meaning there.
 */
export function substitutionsIn(written: string): readonly string[] {
  const joined = withoutContinuations(written);
  if (joined === written) return search(written);
  // the text inside a substitution may keep a backslash before the end of a line: in quotes, in a comment
  return [...new Set([...search(joined), ...search(written)])];
}

function search(text: string): readonly string[] {
  const found: string[] = [];
  let unclosed = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '\\') index++;
    else if (char === '`') {
      const end = endOfBackticks(text, index + 1);
      found.push(unescapeBackticks(text.slice(index + 1, end < 0 ? text.length : end - 1)));
      index = end < 0 ? text.length : end - 1;
    } else if (/[$<>]/.test(char ?? '') && text[index + 1] === '(') {
      const end = endOfSubstitution(text, index + 2);
      found.push(text.slice(index + 2, end < 0 ? text.length : end - 1));
      if (end >= 0) index = end - 1;
      else if (++unclosed > MAX_UNCLOSED) return [...found, ...text.slice(index).split(/[`()]+/)];
    }
  }
  return found;
}

/** Inside backticks a backslash escapes only backslash, backtick and dollar. */
export function unescapeBackticks(text: string): string {
  return text.replace(/\\([\\`$])/g, '$1');
}
