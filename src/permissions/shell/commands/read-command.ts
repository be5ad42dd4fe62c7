import type { PathFact, Place } from '../../paths/path-fact.js';
import { effectOf, isActiveFind } from '../effects/command-effect.js';
import { whyAssignmentAsks } from '../statements/assignments.js';
import { feedBehind, type Feed } from './feed.js';
import { fileArguments, namesListOfFiles } from '../arguments/file-arguments.js';
import { MOVES } from '../arguments/moves.js';
import { findUnreadable, opensNoFile, possibleTexts, speaksOfNothingHidden } from './parameters.js';
import { DESCRIPTOR, readRedirects } from '../arguments/read-redirects.js';
import { safeguardOf } from '../effects/safeguard.js';
import { countAssignments } from '../words/segments.js';
import type { ShellCommand } from '../effects/shell-analysis.js';
import { toArgumentFact, toPathFact } from '../arguments/shell-paths.js';
import type { ShellRedirect, ShellWord } from '../words/shell-token.js';
import type { SimpleCommand } from '../statements/statement.js';
import { baseName, behindPlainWrapper, EXEC_WRAPPERS } from '../words/wrappers.js';

const RESERVED = new Set(
  'if then else elif fi for while until do done case esac select function { } ! [[ ]] coproc in'.split(
    ' ',
  ),
);
const MAX_STAGES = 10;
const DIGITS = /^\d+$/;

/** Why a command cannot be judged by its words, or undefined. */
export function whyNotSimple({
  words,
  redirects,
  hereDocuments,
}: SimpleCommand): string | undefined {
  const dynamic = findUnreadable(words);
  if (dynamic !== undefined) return `"${dynamic.raw}" is only known at run time`;
  const user = words.find(({ isTilde, text }) => isTilde && text !== '~' && !text.startsWith('~/'));
  if (user !== undefined) return `"${user.raw}" is a directory that is only known at run time`;
  const bad = redirects.find(({ operator, target }) => {
    if (operator === '<<<') return target.isDynamic || target.isTilde;
    return operator === '<&' && !DESCRIPTOR.test(target.text);
  });
  if (bad !== undefined) return `it holds "${bad.operator} ${bad.target.raw}"`;
  // in `2>&1>file` the number may belong to either redirect
  const starts = new Set(redirects.map(({ start }) => start));
  const joint = redirects.find(({ target }) => DIGITS.test(target.raw) && starts.has(target.end));
  if (joint !== undefined) return `it holds "${joint.operator}${joint.target.raw}>"`;
  const descriptor = words.find(({ raw, end }) => starts.has(end) && /^\{\w+\}$/.test(raw));
  if (descriptor !== undefined) return `its redirect sets the variable ${descriptor.raw}`;
  return hereDocuments.find(({ problem }) => problem !== undefined)?.problem;
}

type Circumstances = {
  readonly directories: readonly string[];
  readonly place: Place;
  /** The words that its input brings. */
  readonly feed: Feed;
};

type ReadCommand = {
  readonly command: ShellCommand;
  /** The words without assignments and plain wrappers. */
  readonly words: readonly ShellWord[];
  /** The words, with the known arguments out of a pipe; the same list if there is nothing else in the command. */
  readonly fed: readonly ShellWord[];
  readonly movesTo?: readonly string[];
};

export function readCommand(
  { words, redirects, hereDocuments }: SimpleCommand,
  { directories, place, feed }: Circumstances,
): ReadCommand {
  const { stages, assignments } = wrapperStages(words);
  const innermost = stages.at(-1) ?? [];
  const name = innermost[0]?.text ?? '';
  const files = readRedirects(redirects, directories, place.home);
  const movesTo = stages.length === 1 ? targetsOfMove(innermost, directories, place) : undefined;
  const alwaysAsks =
    whyAssignmentAsks(assignments, innermost) ??
    whyNameAsks(innermost) ??
    (stages.length > MAX_STAGES ? 'it is wrapped too often' : undefined) ??
    (MOVES.has(name) && movesTo === undefined
      ? 'the directory that it moves to is not known'
      : undefined) ??
    (name === 'git' &&
    directories.some((directory) => directory !== place.cwd && directory !== place.projectRoot)
      ? 'git runs what another directory configures'
      : undefined) ??
    files.alwaysAsks;
  const isXargs = stages.some(([first]) => first?.text === 'xargs');
  const input = isXargs ? feedBehind({ redirects, hereDocuments }, feed) : [];
  const fed =
    input?.length === 0 && innermost === words ? words : input && [...innermost, ...input];
  // the git configuration in the root of the project is trusted; after an earlier `cd` it need not be
  const isGitElsewhere =
    name === 'git' && directories.some((directory) => directory !== place.projectRoot);
  const hasRedirects = redirects.length + hereDocuments.length > 0;
  const isOpen = words.some(({ isDynamic }) => isDynamic);
  const effect =
    fed === undefined ||
    isGitElsewhere ||
    (isOpen && !speaksOfNothingHidden(innermost)) ||
    namesListOfFiles(fed)
      ? 'none'
      : effectOfStage(fed, hasRedirects);
  const safeguard = effect === 'none' ? undefined : safeguardOf(innermost);
  const command: ShellCommand = {
    text: words.map(({ raw }) => raw).join(' '),
    allowTexts: stages.map((stage) => asWritten(stage, redirects)),
    needsExactRule:
      stages.some(([first]) => EXEC_WRAPPERS.has(baseName(first?.text ?? ''))) ||
      (baseName(name) === 'find' && isActiveFind(innermost.map(({ text }) => text))),
    effect,
    ...(safeguard === undefined ? {} : { safeguard }),
    paths:
      movesTo?.map((path) => toPathFact({ text: path, isTilde: false }, 'read', '/', place.home)) ??
      (effect === 'none' ? [] : argumentPaths(fed ?? [], directories, place)),
    redirects: files.paths,
    ...(files.hasOpenTarget === undefined ? {} : { hasOpenTarget: true }),
    ...(alwaysAsks === undefined ? {} : { alwaysAsks }),
    ...(isOpen ? { possibleTexts: possibleTexts(words) } : {}),
    ...(isOpen && !opensNoFile(innermost) ? { mayOpenAnyFile: true } : {}),
  };
  return movesTo === undefined
    ? { command, words: innermost, fed: fed ?? innermost }
    : {
        command,
        words: innermost,
        fed: innermost,
        movesTo: command.paths.map(({ lexical }) => lexical),
      };
}

type Stages = {
  /** The command, then the command without one wrapper, without two, … */
  readonly stages: readonly (readonly ShellWord[])[];
  /** Assignments in front of the command, and behind `time`. */
  readonly assignments: readonly ShellWord[];
};

function wrapperStages(words: readonly ShellWord[]): Stages {
  const stages: (readonly ShellWord[])[] = [];
  const assignments: ShellWord[] = [];
  let start: number | undefined = 0;
  while (start !== undefined && start < words.length && stages.length <= MAX_STAGES) {
    const isBehindTime = start === 0 || words[start - 1]?.raw === 'time';
    const count: number = isBehindTime ? countAssignments(words, start) : 0;
    if (count > 0) assignments.push(...words.slice(start, start + count));
    start += count;
    if (start >= words.length) break;
    stages.push(start === 0 ? words : words.slice(start));
    start = behindPlainWrapper(words, start);
  }
  return { stages, assignments };
}

/** The source text of the words, blanks included; one blank replaces a redirect. */
function asWritten(words: readonly ShellWord[], redirects: readonly ShellRedirect[]): string {
  let text = '';
  let behind: number | undefined;
  let next = 0;
  for (const { raw, start, end } of words) {
    if (behind !== undefined) {
      while ((redirects[next]?.start ?? Infinity) < behind) next++;
      const isApart = (redirects[next]?.end ?? Infinity) <= start;
      text += isApart ? ' ' : ' '.repeat(start - behind);
    }
    text += raw;
    behind = end;
  }
  return text;
}

function effectOfStage(words: readonly ShellWord[], hasRedirects: boolean): ShellCommand['effect'] {
  const name = words[0]?.text;
  if (name === undefined) return hasRedirects ? 'readOnly' : 'none'; // `> file`: its target is judged
  return name === 'cd' ? 'readOnly' : effectOf(words);
}

function whyNameAsks([first]: readonly ShellWord[]): string | undefined {
  if (first === undefined) return undefined;
  if (RESERVED.has(first.raw)) return `"${first.raw}" starts more than a plain command`;
  if ((first.isGlob && first.raw !== '[') || first.isTilde || first.raw.includes("$'"))
    return 'the name of its program is only known at run time';
  return undefined;
}

/**
 * The directories that a `cd` may lead to, from each possible working directory; undefined for other commands and
 * unknown targets.
 */
function targetsOfMove(
  words: readonly ShellWord[],
  directories: readonly string[],
  place: Place,
): readonly string[] | undefined {
  if (words[0]?.text !== 'cd') return undefined;
  const operands = words.slice(words[1]?.text === '--' ? 2 : 1);
  const [target] = operands;
  if (operands.length !== 1 || target === undefined) return undefined;
  if (target.isGlob || target.text === '' || target.text.startsWith('-')) return undefined;
  return directories.map((directory) => toPathFact(target, 'read', directory, place.home).given);
}

function argumentPaths(
  words: readonly ShellWord[],
  directories: readonly string[],
  place: Place,
): readonly PathFact[] {
  return fileArguments(words).flatMap((file) =>
    directories.map((directory) => toArgumentFact(file, directory, place.home)),
  );
}
