import type { PathFact, Place } from '../paths/path-fact.js';
import { effectOf, isActiveFind } from './command-effect.js';
import { fileArguments, readsNoFiles } from './file-arguments.js';
import { commandsIn, type FoundCommand } from './found-commands.js';
import { readRedirects } from './read-redirects.js';
import {
  assignedVariable,
  countAssignments,
  isEmptySegment,
  toSegments,
  type Segment,
} from './segments.js';
import type { ShellCommand } from './shell-analysis.js';
import { toPathFact } from './shell-paths.js';
import type { ShellRedirect, ShellTokens, ShellWord } from './shell-token.js';
import { baseName, EXEC_WRAPPERS, stripPlainWrapper } from './wrappers.js';

/** Commands, and the directories that they may run in. */
export type CommandSite = {
  readonly commands: readonly FoundCommand[];
  readonly redirects: readonly ShellRedirect[];
  readonly directories: readonly string[];
};

export type ReadCommands = {
  readonly problem?: string;
  readonly commands: readonly ShellCommand[];
  readonly sites: readonly CommandSite[];
};

const RESERVED = new Set(
  'if then else elif fi for while until do done case esac select function { } ! [[ ]] coproc in'.split(
    ' ',
  ),
);
const SAFE_VARIABLES = new Set(['NODE_ENV', 'LANG', 'TZ', 'NO_COLOR']);
const DECLARATIONS = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);
const MOVES = new Set(['cd', 'pushd', 'popd']);
const MAX_DIRECTORIES = 8;

/**
 * Reads a list of simple commands, following `cd` from one to the next: behind `&&` the move has happened, behind any
 * other separator it may or may not have.
 */
export function readCommands(tokens: ShellTokens, place: Place): ReadCommands {
  const commands: ShellCommand[] = [];
  const sites: CommandSite[] = [];
  const seen = new Set([place.cwd]);
  let current: readonly string[] = [place.cwd];
  let before: string | undefined;
  for (const segment of toSegments(tokens.tokens)) {
    const { separator } = segment;
    if (isEmptySegment(segment)) {
      const isDangling = before !== undefined && /^(?:&&|\|\||\|&?)$/.test(before);
      if (separator === undefined ? isDangling : separator !== '\n') {
        return { problem: `it has no command next to "${separator ?? before}"`, commands, sites };
      }
      if (!isDangling) before = separator;
      continue;
    }
    const problem = whyNotSimple(segment);
    if (problem !== undefined) return { problem, commands, sites };
    const read = readCommand(segment, current, place);
    commands.push(read.command);
    sites.push({
      commands: commandsIn(segment.words),
      redirects: segment.redirects,
      directories: current,
    });
    for (const directory of read.movesTo ?? []) seen.add(directory);
    if (seen.size > MAX_DIRECTORIES) {
      return { problem: 'it changes its directory too often', commands, sites };
    }
    if (separator !== '&&') current = [...seen];
    else if (read.movesTo !== undefined) current = read.movesTo;
    before = separator;
  }
  return commands.length === 0
    ? { problem: 'it holds no command', commands, sites }
    : { commands, sites };
}

function whyNotSimple({ words, redirects }: Segment): string | undefined {
  const dynamic = words.find(({ isDynamic }) => isDynamic);
  if (dynamic !== undefined) return `"${dynamic.raw}" is only known at run time`;
  const user = words.find(({ isTilde, text }) => isTilde && text !== '~' && !text.startsWith('~/'));
  if (user !== undefined) return `"${user.raw}" is a directory that is only known at run time`;
  const bad = redirects.find(
    ({ operator, target }) =>
      operator === '<<<' || (operator === '<&' && !/^(?:\d+-?|-)$/.test(target.text)),
  );
  return bad === undefined ? undefined : `it holds "${bad.operator}"`;
}

type ReadCommand = { readonly command: ShellCommand; readonly movesTo?: readonly string[] };

function readCommand(
  { words, redirects }: Segment,
  directories: readonly string[],
  place: Place,
): ReadCommand {
  const assignments = countAssignments(words);
  const stages = wrapperStages(words.slice(assignments));
  const innermost = stages.at(-1) ?? [];
  const name = innermost[0]?.text ?? '';
  const files = readRedirects(redirects, directories, place.home);
  const movesTo = stages.length === 1 ? targetsOfMove(innermost, directories, place) : undefined;
  const alwaysAsks =
    whyAssignmentAsks(words.slice(0, assignments), innermost) ??
    whyNameAsks(innermost) ??
    (MOVES.has(name) && movesTo === undefined
      ? 'the directory that it moves to is not known'
      : undefined) ??
    (name === 'git' &&
    directories.some((directory) => directory !== place.cwd && directory !== place.projectRoot)
      ? 'git runs what another directory configures'
      : undefined) ??
    files.alwaysAsks;
  const isFedByPipe = stages.some(([first]) => first?.text === 'xargs');
  // in the root of the project what configures git is trusted; in a directory kept from an earlier `cd` it need not be
  const isGitElsewhere =
    name === 'git' && directories.some((directory) => directory !== place.projectRoot);
  const effect = isGitElsewhere
    ? 'none'
    : effectOfStage(innermost, isFedByPipe, redirects.length > 0);
  const command: ShellCommand = {
    text: words.map(({ raw }) => raw).join(' '),
    allowTexts: stages.map((stage) => stage.map(({ raw }) => raw).join(' ')),
    needsExactRule:
      stages.some(([first]) => EXEC_WRAPPERS.has(baseName(first?.text ?? ''))) ||
      (baseName(name) === 'find' && isActiveFind(innermost.map(({ text }) => text))),
    effect,
    paths:
      movesTo?.map((path) => toPathFact({ text: path, isTilde: false }, 'read', '/', place.home)) ??
      (effect === 'none' ? [] : argumentPaths(innermost, directories, place)),
    redirects: files.paths,
    ...(alwaysAsks === undefined ? {} : { alwaysAsks }),
  };
  return movesTo === undefined
    ? { command }
    : { command, movesTo: command.paths.map(({ lexical }) => lexical) };
}

/** A command, then what is left of it without one wrapper, without two, … */
function wrapperStages(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const stages: (readonly ShellWord[])[] = [];
  for (let rest: readonly ShellWord[] | undefined = words; rest !== undefined && rest.length > 0;) {
    stages.push(rest);
    rest = stripPlainWrapper(rest);
  }
  return stages;
}

function effectOfStage(
  words: readonly ShellWord[],
  isFedByPipe: boolean,
  hasRedirects: boolean,
): ShellCommand['effect'] {
  const name = words[0]?.text;
  if (name === undefined) return hasRedirects ? 'readOnly' : 'none'; // `> file`: its target is judged
  if (name === 'cd') return 'readOnly';
  if (isFedByPipe && !readsNoFiles(name)) return 'none';
  return effectOf(words);
}

function whyAssignmentAsks(
  assignments: readonly ShellWord[],
  command: readonly ShellWord[],
): string | undefined {
  const variables = assignments.map((word) => assignedVariable(word) ?? '');
  const unsafe = variables.find((variable) => !SAFE_VARIABLES.has(variable));
  if (unsafe !== undefined) return `it sets ${unsafe}`;
  return variables[0] !== undefined && command.length === 0 ? `it sets ${variables[0]}` : undefined;
}

function whyNameAsks([first]: readonly ShellWord[]): string | undefined {
  if (first === undefined) return undefined;
  if (RESERVED.has(first.raw)) return `"${first.raw}" starts more than a plain command`;
  if (first.isGlob || first.isTilde) return 'the name of its program is only known at run time';
  return DECLARATIONS.has(first.text) ? `${first.text} changes what later commands do` : undefined;
}

/** Where a `cd` goes, from each directory that it may start in; undefined for anything else and where that is not known. */
function targetsOfMove(
  words: readonly ShellWord[],
  directories: readonly string[],
  place: Place,
): readonly string[] | undefined {
  const [name, ...rest] = words;
  const operands = rest[0]?.text === '--' ? rest.slice(1) : rest;
  const [target] = operands;
  if (name?.text !== 'cd' || operands.length !== 1 || target === undefined) return undefined;
  if (target.isGlob || target.text === '' || target.text.startsWith('-')) return undefined;
  return directories.map((directory) => toPathFact(target, 'read', directory, place.home).given);
}

function argumentPaths(
  words: readonly ShellWord[],
  directories: readonly string[],
  place: Place,
): readonly PathFact[] {
  return fileArguments(words).flatMap(({ word, access, marks }) =>
    directories.map((directory) => ({
      ...toPathFact(word, access, directory, place.home),
      ...marks,
    })),
  );
}
