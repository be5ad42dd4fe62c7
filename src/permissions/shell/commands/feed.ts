import type { ShellWord } from '../words/shell-token.js';
import type { SimpleCommand, Statement } from '../statements/statement.js';
import { behindPlainWrapper } from '../words/wrappers.js';

/** The words that the input of a command brings to `xargs`; undefined if the command line does not contain them. */
export type Feed = readonly ShellWord[] | undefined;

/** The input of each part of a pipeline. @param outer the input of the first part. */
export function feedsOf(parts: readonly Statement[], outer: Feed): readonly Feed[] {
  return parts.map((_, index) => {
    if (index === 0) return outer;
    const before = parts[index - 1];
    return before?.type === 'simple' ? spokenBy(before) : undefined;
  });
}

/** The input of a command. @param feed its input without redirects. */
export function feedBehind(
  { redirects, hereDocuments }: Pick<SimpleCommand, 'redirects' | 'hereDocuments'>,
  feed: Feed,
): Feed {
  const hasInput = redirects.some(({ operator }) => operator.startsWith('<'));
  return hasInput || hereDocuments.length > 0 ? undefined : feed;
}

/** The output of a command, if it prints nothing but words of the command line. */
function spokenBy({ words, redirects, hereDocuments }: SimpleCommand): Feed {
  const start = behindWrappers(words);
  if (start === undefined || redirects.length + hereDocuments.length > 0) return undefined;
  const rest = words.slice(start + 1);
  switch (words[start]?.text) {
    case 'echo':
      return rest.some(({ text }) => text.startsWith('-')) ? undefined : toInput(rest);
    case 'printf':
      return /^(?:%s(?:\\n|\\0| )?)+$/.test(rest[0]?.text ?? '')
        ? toInput(rest.slice(1))
        : undefined;
    default:
      return undefined;
  }
}

/** The index of the command behind all wrappers; undefined behind `xargs`, which adds words. */
function behindWrappers(words: readonly ShellWord[]): number | undefined {
  let start = 0;
  for (let next = behindPlainWrapper(words, 0); next !== undefined;) {
    if (words[start]?.text === 'xargs') return undefined;
    start = next;
    next = behindPlainWrapper(words, start);
  }
  return start;
}

/** The words that `xargs` reads: it splits at blanks and removes quotes and backslashes. */
function toInput(words: readonly ShellWord[]): Feed {
  if (words.some((word) => isFilledIn(word) || /['"\\]/.test(word.text))) return undefined;
  return words.flatMap((word) =>
    word.text
      .split(/\s+/)
      .filter((text) => text !== '')
      .map((text) => ({ ...word, text, raw: text })),
  );
}

/** The names that a wildcard matches may hold blanks. */
function isFilledIn({ isDynamic, isTilde, isGlob }: ShellWord): boolean {
  return isDynamic || isTilde || isGlob;
}
