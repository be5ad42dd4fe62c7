import { relativeTo } from '../../paths/normalise.js';
import type { PathFact, Place } from '../../paths/path-fact.js';
import { fileArguments } from '../arguments/file-arguments.js';
import type { ShellCommand } from '../effects/shell-analysis.js';
import { toPathFact } from '../arguments/shell-paths.js';
import type { ShellWord } from '../words/shell-token.js';

/**
 * Paths are resolved before a command line runs. This file tracks how earlier commands of the line change that: links
 * that they make or bring along.
 */
export type Change = {
  /** The index of the changing command in the whole line. */
  readonly index: number;
  /** The paths that are put at `to`, or below it. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The command may make links anywhere, to anywhere. */
  readonly isAnywhere?: 'forWrites' | 'forAll';
};

/** Beyond this number of changes their combination is not followed. */
const MAX_CHANGES = 20;

/** Programs that unpack or check out links of any kind. */
const UNPACKERS: ReadonlySet<string> = new Set(
  'tar unzip 7z 7za cpio rsync git bsdtar unrar pax svn hg patch'.split(' '),
);

/** Commands after which a name may mean another program. */
const SHADOWING: ReadonlySet<string> = new Set(
  'alias unalias hash enable source . eval trap shopt set unset read mapfile readarray printf let getopts function exec'.split(
    ' ',
  ),
);

/** Whether a command may change what the names of later ones mean. */
export function shadowsNames(words: readonly ShellWord[]): boolean {
  const text = words[0]?.text ?? '';
  const first = words[1]?.text;
  if (text === 'printf') return first?.startsWith('-') === true && first !== '--';
  return SHADOWING.has(text);
}

/** How a command, without its wrappers, changes the targets of later paths. */
export function changeOf(
  words: readonly ShellWord[],
  directories: readonly string[],
  place: Place,
  index: number,
): readonly Change[] {
  const name = words[0]?.text ?? '';
  const nowhere = { index, from: [], to: [] };
  if (name === 'ln') return [{ ...nowhere, isAnywhere: 'forAll' }];
  if (UNPACKERS.has(name) && !isHarmlessGit(words))
    return [{ ...nowhere, isAnywhere: 'forWrites' }];
  if (name !== 'mv' && name !== 'cp') return [];
  if (words.some(({ isDynamic }) => isDynamic)) return [{ ...nowhere, isAnywhere: 'forAll' }];
  const files = fileArguments(words).filter(({ marks }) => marks.isInTarget !== true);
  const paths = files.map(({ word }) =>
    directories.map((directory) => toPathFact(word, 'read', directory, place.home).lexical),
  );
  return [{ index, from: paths.slice(0, -1).flat(), to: paths.at(-1) ?? [] }];
}

function isHarmlessGit([name, action]: readonly ShellWord[]): boolean {
  return (
    name?.text === 'git' &&
    /^(?:status|log|diff|show|add|commit|push|fetch)$/.test(action?.text ?? '')
  );
}

/**
 * Mark the paths of commands that earlier commands may redirect. In a loop a later command may also be an earlier one.
 */
export function markStale(
  commands: readonly ShellCommand[],
  changes: readonly Change[],
  hasLoop: boolean,
): readonly ShellCommand[] {
  const [first] = changes;
  if (first === undefined) return commands;
  if (changes.length > MAX_CHANGES) {
    return commands.map((command, index) =>
      index > first.index ? withStalePaths(command) : command,
    );
  }
  return commands.map((command, index) => {
    const earlier = changes.filter(
      (change) => change.index !== index && (hasLoop || change.index < index),
    );
    if (earlier.length === 0) return command;
    const mark = (fact: PathFact): PathFact => withOrigins(fact, earlier);
    return { ...command, paths: command.paths.map(mark), redirects: command.redirects.map(mark) };
  });
}

function withStalePaths(command: ShellCommand): ShellCommand {
  const mark = (fact: PathFact): PathFact => ({ ...fact, isStale: true });
  return { ...command, paths: command.paths.map(mark), redirects: command.redirects.map(mark) };
}

function withOrigins(fact: PathFact, changes: readonly Change[]): PathFact {
  const isStale = changes.some(
    ({ isAnywhere }) =>
      isAnywhere === 'forAll' ||
      (isAnywhere === 'forWrites' && (fact.access === 'write' || fact.followsLinks === true)),
  );
  if (isStale) return { ...fact, isStale };
  const origins = new Set<string>();
  let left = changes;
  const bringTo = (path: string): void => {
    left = left.filter(({ from, to }) => {
      const isPut = to.some((target) => relativeTo(target, path) !== undefined);
      if (isPut) from.forEach((source) => origins.add(source));
      return !isPut;
    });
  };
  bringTo(fact.lexical);
  for (const origin of origins) bringTo(origin); // also the origins that this loop adds
  return origins.size === 0 ? fact : { ...fact, comesFrom: [...origins] };
}
