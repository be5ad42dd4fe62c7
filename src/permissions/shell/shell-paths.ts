import { joinPath, normalisePath } from '../paths/normalise.js';
import type { PathFact, Place } from '../paths/path-fact.js';
import type { FileArgument } from './file-arguments.js';
import type { ShellWord } from './shell-token.js';

/** The path that a word means to a program that is started in `cwd`. */
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
 * The path with what `/proc/self/cwd` and `/proc/self/root` mean to a program that is started in `cwd`, for rules that deny: whoever
 * resolves such a link from another process ends up elsewhere. Any process is taken for the program's own.
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
  const fact = { ...toPathFact(word, access, cwd, home), ...marks };
  if (namedAfter === undefined) return fact;
  return { ...fact, namedAfter: toPathFact(namedAfter, 'read', cwd, home).given };
}

/** `~` and `~/x`; another user's home is left as it is. */
export function expandTilde(text: string, home: string): string {
  return text === '~' || text.startsWith('~/') ? home + text.slice(1) : text;
}

/** `a=~/x:~`, as bash expands it among arguments. Quotes are not seen any more: for what denies. */
function expandTildesOfAssignment(text: string, home: string): string {
  return /^\w+[^=]*=/.test(text) ? text.replace(/(?<=[=:])~(?=[/:]|$)/g, () => home) : text;
}

/** A word with the variables filled in whose values are known in any shell; others stay as written. */
export function fillKnownVariables(word: ShellWord, place: Place): ShellWord {
  if (!word.isDynamic) return word;
  const text = expandTildesOfAssignment(word.text, place.home)
    .replace(/\$(?:HOME\b|\{HOME\})/g, () => place.home)
    .replace(/\$(?:PWD\b|\{PWD\})/g, () => place.cwd);
  return { ...word, text };
}
