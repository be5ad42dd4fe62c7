import { unquoted } from '../words/ansi-c.js';
import { withoutContinuations } from '../words/continuation.js';
import { endOfBackticks, endOfParameter, endOfSubstitution } from '../tokens/scan-nested.js';
import type { ShellWord } from '../words/shell-token.js';

/**
 * Programs whose name is no plain literal: only the shell knows which program runs. For rules that deny, such a name is
 * an unknown wrapper, and any word behind it may be the wrapped command.
 */
export function isOpenName({ raw, text, isDynamic, isGlob, isTilde }: ShellWord): boolean {
  if (isDynamic) return true;
  return isGlob ? raw !== '[' && raw !== '[[' : isTilde && !text.includes('/');
}

/** The words anywhere within such a name: behind a default, in braces, in a substitution. */
export function wordsWithin({ text }: ShellWord): string {
  return unquoted(withoutContinuations(text))
    .replace(/\$(?:\w+|\{\w+(?:\}|:?[-=+?]))/g, ' ')
    .replace(/\$\{[^{}]*\}/g, (expansion) => expansion.replace(/[/:=+#%^@?]-?/g, ' '))
    .replace(/\{([^{},.]+)\.\.[^{},]*\}/g, '$1')
    .replace(/[\s`$(){},;|&<>]+/g, ' ')
    .trim();
}

/** The name with `*` for unknown parts, and `?` for wildcards of one character. */
export function patternOf({ text }: ShellWord): string {
  return withoutSets(withoutBraces(withoutExpansions(text)));
}

/** Replace each set of characters by `?`. */
export function withoutSets(text: string): string {
  return text.replace(/\[[^\]\s]*\]/g, '?');
}

/** Replace each expansion by `*`, also quoted text that looks like one. */
function withoutExpansions(text: string): string {
  let pattern = '';
  for (let index = 0; index < text.length;) {
    const end = endOfExpansion(text, index);
    pattern += end === undefined ? (text[index] ?? '') : '*';
    index = end ?? index + 1;
  }
  return pattern;
}

/** Index behind the expansion that begins at an index; the end of the text if it does not close. */
function endOfExpansion(text: string, index: number): number | undefined {
  const orAll = (end: number): number => (end < 0 ? text.length : end);
  if (text[index] === '`') return orAll(endOfBackticks(text, index + 1));
  if (text[index] !== '$') return undefined;
  if (text[index + 1] === '(') return orAll(endOfSubstitution(text, index + 2));
  if (text[index + 1] === '{') return orAll(endOfParameter(text, index + 2, false));
  const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(text.slice(index, index + 200))?.[0];
  return name === undefined ? undefined : index + name.length;
}

/** Replace choices in braces by `*`. */
function withoutBraces(text: string): string {
  const open: string[] = [];
  let pattern = '';
  for (const part of text.split(/([{}])/)) {
    if (part === '{') {
      open.push(pattern);
      pattern = '{';
    } else if (part === '}' && open.length > 0) pattern = `${open.pop()}*`;
    else pattern += part;
  }
  return open.join('') + pattern;
}
