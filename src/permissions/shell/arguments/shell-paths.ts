import { joinPath, normalisePath } from '../../paths/normalise.js';
import type { PathFact, Place } from '../../paths/path-fact.js';
import type { FileArgument } from './file-arguments.js';
import type { ShellWord } from '../words/shell-token.js';

/** The path that a word means to a program in `cwd`. */
export function toPathFact(
  word: Pick<ShellWord, 'text' | 'isTilde'>,
  access: PathFact['access'],
  cwd: string,
  home: string,
): PathFact {
  const given = joinPath(cwd, word.isTilde ? expandTilde(word.text, home) : word.text);
  return { given, lexical: normalisePath(given), access };
}

const OF_PROCESS = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/(cwd|root)(?=\/|$)/;

/**
 * The path with the targets of `/proc/self/cwd` and `/proc/self/root` for a program in `cwd`, for rules that deny:
 * another process would resolve such a link differently. Any process counts as the program's own.
 */
export function throughProcess(fact: PathFact, cwd: string): readonly PathFact[] {
  const given = fact.given.replace(/\/(?:\.?\/)+/g, '/');
  const [link, kind] = OF_PROCESS.exec(given) ?? [];
  if (link === undefined) return [fact];
  const meant = `${kind === 'cwd' ? cwd : ''}${given.slice(link.length)}` || '/';
  return [fact, { ...fact, given: meant, lexical: normalisePath(meant) }];
}

/** The path of a file that a command names; see {@link toPathFact}. */
export function toArgumentFact(
  { word, access, marks, namedAfter }: FileArgument,
  cwd: string,
  home: string,
): PathFact {
  const fact: PathFact = Object.assign(toPathFact(word, access, cwd, home), marks);
  if (namedAfter === undefined) return fact;
  return { ...fact, namedAfter: toPathFact(namedAfter, 'read', cwd, home).given };
}

/** Expand `~` and `~/x`; another user's home stays as written. */
export function expandTilde(text: string, home: string): string {
  return text === '~' || text.startsWith('~/') ? home + text.slice(1) : text;
}

/** Expand `a=~/x:~`, as bash does among arguments. Quotes are unknown here: for rules that deny. */
function expandTildesOfAssignment(text: string, home: string): string {
  return /^\w[^=]*=/.test(text) ? text.replace(/(?<=[=:])~(?=[/:]|$)/g, () => home) : text;
}

/** Fill in the variables that have a known value in every shell; others stay as written. */
export function fillKnownVariables(word: ShellWord, place: Place): ShellWord {
  if (!word.isDynamic) return word;
  const text = expandTildesOfAssignment(word.text, place.home)
    .replace(/\$(?:HOME\b|\{HOME\})/g, () => place.home)
    .replace(/\$(?:PWD\b|\{PWD\})/g, () => place.cwd);
  return { ...word, text };
}
