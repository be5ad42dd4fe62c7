import type { ShellWord } from './shell-token.js';
import type { SimpleCommand, Statement } from './statement.js';
import { behindPlainWrapper } from './wrappers.js';

/** What a pipe brings to `xargs`, which takes it for arguments. */
export type Feed =
  /** Names that are not known, such as those that `find` prints. */
  | { readonly type: 'unknown' }
  /** Exactly these. */
  | { readonly type: 'words'; readonly words: readonly ShellWord[] }
  /** Written in the command line itself, and not told apart. */
  | { readonly type: 'opaque' };

export const UNKNOWN_FEED: Feed = { type: 'unknown' };
export const OPAQUE_FEED: Feed = { type: 'opaque' };

/** What each part of a pipeline is fed by those before it. @param outer what the first one reads. */
export function feedsOf(parts: readonly Statement[], outer: Feed): readonly Feed[] {
  let before = outer;
  return parts.map((part, index) => {
    const feed = before;
    const commands = simpleCommandsOf(part);
    const [only] = commands;
    if (commands.some(isSpeaker)) {
      before = index === 0 && part === only ? spokenBy(only) : OPAQUE_FEED;
    } else if (feed.type === 'words') before = OPAQUE_FEED;
    return feed;
  });
}

function simpleCommandsOf(statement: Statement): readonly SimpleCommand[] {
  switch (statement.type) {
    case 'simple':
      return [statement];
    case 'andOr':
      return [statement.first, ...statement.rest.map((next) => next.statement)].flatMap(
        simpleCommandsOf,
      );
    case 'group':
    case 'subshell':
      return simpleCommandsOf(statement.body);
    case 'sequence':
    case 'pipeline':
    case 'if':
    case 'loop':
    case 'case':
      return statement.parts.flatMap(simpleCommandsOf);
    default:
      return statement satisfies never;
  }
}

/** Prints what stands in the command line. */
function isSpeaker({ words, redirects, hereDocuments }: SimpleCommand): boolean {
  return (
    hereDocuments.length > 0 ||
    redirects.some(({ operator }) => operator === '<<<') ||
    words.some(({ text }) => text === 'echo' || text === 'printf')
  );
}

/** `xargs` takes quotes and backslashes out of what it reads, and splits it at blanks. */
function spokenBy({ words, redirects, hereDocuments }: SimpleCommand): Feed {
  let start = 0;
  for (let next = behindPlainWrapper(words, 0); next !== undefined;) {
    start = next;
    next = behindPlainWrapper(words, start);
  }
  const name = words[start];
  let rest = words.slice(start + 1);
  if (redirects.length + hereDocuments.length > 0) return OPAQUE_FEED;
  if (name?.text === 'printf') {
    if (!/^(?:%s(?:\\n|\\0| )?)+$/.test(rest[0]?.text ?? '')) return OPAQUE_FEED;
    rest = rest.slice(1);
  } else if (name?.text !== 'echo' || rest.some(({ text }) => text.startsWith('-'))) {
    return OPAQUE_FEED;
  }
  if (rest.some(({ text, isDynamic, isTilde }) => isDynamic || isTilde || /['"\\]/.test(text))) {
    return OPAQUE_FEED;
  }
  const spoken = rest.flatMap((word) =>
    word.text
      .split(/\s+/)
      .filter((text) => text !== '')
      .map((text) => ({ ...word, text, raw: text })),
  );
  return { type: 'words', words: spoken };
}
