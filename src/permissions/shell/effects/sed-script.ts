/**
 * Whether a sed script only selects and changes text: it reads and writes no file and runs no program. The reader knows
 * the plain forms of GNU sed; the answer to everything else is no.
 */
export function isHarmlessSedScript(script: string): boolean {
  let index = 0;
  for (;;) {
    index += lengthOf(/[ \t\n;{}]+/y, script, index);
    if (index >= script.length) return true;
    const end = endOfCommand(script, index);
    if (end === undefined) return false;
    const opensGroup = script[end - 1] === '{';
    if (!opensGroup && !matchesAt(/[ \t]*(?:[;}\n#]|$)/y, script, end)) return false;
    index = end;
  }
}

/** Index behind the harmless command that begins at `start`; undefined if it may do harm or is not understood. */
function endOfCommand(script: string, start: number): number | undefined {
  let index: number | undefined = start;
  if (script[index] === '#') return start + lengthOf(/#[^\n]*/y, script, start);
  if (isAddress(script, index)) {
    index = endOfAddress(script, index);
    if (index === undefined) return undefined;
    const comma = lengthOf(/[ \t]*,[ \t]*/y, script, index);
    if (comma > 0) {
      const distance = lengthOf(/[+~]\d+/y, script, index + comma);
      index = distance > 0 ? index + comma + distance : endOfAddress(script, index + comma);
      if (index === undefined) return undefined;
    }
  }
  index += lengthOf(/[ \t]*(?:![ \t]*)?/y, script, index);
  if (script[index] === 's' || script[index] === 'y') return endOfSubstitution(script, index);
  const length = lengthOf(PLAIN_COMMAND, script, index);
  return length === 0 ? undefined : index + length;
}

/** Commands that only select, keep, jump, print or add text. */
const PLAIN_COMMAND =
  /[pdDPnNhHgGxzF=]|[lqQ](?:[ \t]*\d+)?|:[ \t]*\w+|[btT](?:[ \t]*\w+)?|[aic](?:\\\n[ \t]*|\\?[ \t]*)[^\s\\](?:[^\\\n]|\\[^])*(?=\n|$)|\{/y;

function isAddress(script: string, index: number): boolean {
  return /[\d$/\\]/.test(script[index] ?? '');
}

function endOfAddress(script: string, start: number): number | undefined {
  const position = lengthOf(/\d+(?:~\d+)?|\$/y, script, start);
  if (position > 0) return start + position;
  const from = script[start] === '\\' ? start + 1 : start;
  if (script[start] !== '/' && from === start) return undefined;
  const end = endOfPattern(script, from);
  return end === undefined ? undefined : end + lengthOf(/[IM]*/y, script, end);
}

/** The end of `s/a/b/flags` or `y/ab/cd/`; no flag may write or run. */
function endOfSubstitution(script: string, start: number): number | undefined {
  const isPattern = script[start] === 's';
  const middle = isPattern ? endOfPattern(script, start + 1) : endOfText(script, start + 1);
  const end = middle === undefined ? undefined : endOfText(script, middle - 1);
  if (end === undefined || !isPattern) return end;
  return end + lengthOf(/[gpiImM0-9]*/y, script, end);
}

/** The possible delimiters of a pattern. Others mean something else to sed or depend on the locale. */
const DELIMITER = /[!"#$%&'()*+,./:<=>?@^_`|~-]/;

/** Index behind the delimiter that ends the pattern; `start` is the index of the delimiter before it. */
function endOfPattern(script: string, start: number): number | undefined {
  return endOfText(script, start, BRACKETS);
}

/**
 * A set of characters. A delimiter in it is a plain character, and so is a backslash; neither a first `]` nor the `]`
 * of a class ends the set. Anything else that looks like the beginning of a class is not understood.
 */
const BRACKETS =
  /\[(?:\^\]|\^(?!\])|\]|(?![\^\]]))(?:\[:[a-z]+:\]|\[([.=])[^\]\\\n[]\1\]|\[(?![.:=])|[^[\]\n])*\]/y;

/** @param sets the parts that may hold delimiters; without it the first delimiter ends the text. */
function endOfText(script: string, start: number, sets?: RegExp): number | undefined {
  const delimiter = script[start] ?? '';
  if (!DELIMITER.test(delimiter)) return undefined;
  for (let index = start + 1; index < script.length; index++) {
    const char = script[index];
    if (char === delimiter) return index + 1;
    if (char === '\n') return undefined;
    if (char === '\\') index++;
    else if (char === '[' && sets !== undefined) {
      const length = lengthOf(sets, script, index);
      if (length === 0) return undefined;
      index += length - 1;
    }
  }
  return undefined;
}

function matchesAt(expression: RegExp, text: string, index: number): boolean {
  expression.lastIndex = index;
  return expression.test(text);
}

/** The length of a sticky expression's match at an index; 0 without a match. */
function lengthOf(expression: RegExp, text: string, index: number): number {
  expression.lastIndex = index;
  return expression.exec(text)?.[0].length ?? 0;
}
