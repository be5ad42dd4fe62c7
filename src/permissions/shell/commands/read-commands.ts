import type { Place } from '../../paths/path-fact.js';
import { feedBehind, feedsOf, type Feed } from './feed.js';
import { commandsIn } from '../texts/found-commands.js';
import type { FoundCommand } from '../words/segments.js';
import { changeOf, markStale, shadowsNames, type Change } from './earlier-commands.js';
import { MOVES } from '../arguments/moves.js';
import { readCommand, whyNotSimple } from './read-command.js';
import type { ShellCommand } from '../effects/shell-analysis.js';
import type { ShellRedirect } from '../words/shell-token.js';
import type { SimpleCommand, Statement } from '../statements/statement.js';

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
  /** A command moves to a directory that is not known here. */
  readonly hasUnknownMove?: true;
};

/** The directories that a shell may be in behind a statement. */
type Whereabouts = {
  readonly whenItWorked: readonly string[];
  readonly inAnyCase: readonly string[];
};

const MAX_DIRECTORIES = 8;

/** The state of reading one statement. */
type Reading = {
  readonly place: Place;
  readonly commands: ShellCommand[];
  readonly sites: CommandSite[];
  readonly changes: Change[];
  /** The first problem. Nothing behind it is read. */
  problem: string | undefined;
  hasLoop: boolean;
  hasUnknownMove: boolean;
  /** A name may mean another program. */
  isShadowed: boolean;
};

/**
 * Read every simple command of a statement and follow each `cd`: behind `&&` the move has happened, behind any other
 * separator it may have happened; it never leaves its subshell.
 */
export function readCommands(statement: Statement, place: Place): ReadCommands {
  const reading: Reading = {
    place,
    commands: [],
    sites: [],
    changes: [],
    problem: undefined,
    hasLoop: false,
    hasUnknownMove: false,
    isShadowed: false,
  };
  follow(reading, statement, [place.cwd], undefined);
  const { problem, sites } = reading;
  if (problem !== undefined) return { problem, commands: [], sites: [] };
  const marked = markStale(reading.commands, reading.changes, reading.hasLoop);
  return {
    commands: reading.isShadowed ? marked.map(withoutTrust) : marked,
    sites,
    ...(reading.hasUnknownMove ? { hasUnknownMove: true } : {}),
  };
}

function follow(
  reading: Reading,
  node: Statement,
  directories: readonly string[],
  feed: Feed,
): Whereabouts {
  if (reading.problem !== undefined) return stays(directories);
  switch (node.type) {
    case 'simple':
      return followSimple(reading, node, directories, feed);
    case 'sequence':
      return stays(followAll(reading, node.parts, directories, feed));
    case 'andOr':
      return followAndOr(reading, node, directories, feed);
    case 'pipeline':
      return stays(followPipeline(reading, node, directories, feed));
    case 'group':
      followRedirects(reading, node, directories, feed);
      return follow(reading, node.body, directories, feedBehind(node, feed));
    case 'subshell':
      followRedirects(reading, node, directories, feed);
      follow(reading, node.body, directories, feedBehind(node, feed));
      return stays(directories);
    case 'if':
    case 'case':
      followRedirects(reading, node, directories, feed);
      return stays(followAll(reading, node.parts, directories, feedBehind(node, feed)));
    case 'loop':
      return stays(followLoop(reading, node, directories, feed));
    default:
      return node satisfies never;
  }
}

type Of<Type extends Statement['type']> = Extract<Statement, { readonly type: Type }>;

function followAndOr(
  reading: Reading,
  { first, rest }: Of<'andOr'>,
  directories: readonly string[],
  feed: Feed,
): Whereabouts {
  let { whenItWorked, inAnyCase } = follow(reading, first, directories, feed);
  for (const { operator, statement } of rest) {
    const from = operator === '&&' ? whenItWorked : inAnyCase;
    const behind = follow(reading, statement, from, feed);
    inAnyCase = together(reading, inAnyCase, behind.inAnyCase);
    whenItWorked = operator === '&&' ? behind.whenItWorked : inAnyCase;
  }
  return { whenItWorked, inAnyCase };
}

function followPipeline(
  reading: Reading,
  { parts }: Of<'pipeline'>,
  directories: readonly string[],
  feed: Feed,
): readonly string[] {
  const feeds = feedsOf(parts, feed);
  return parts.reduce(
    (from, part, index) =>
      together(reading, from, follow(reading, part, from, feeds[index]).inAnyCase),
    directories,
  );
}

function followLoop(
  reading: Reading,
  loop: Of<'loop'>,
  directories: readonly string[],
  feed: Feed,
): readonly string[] {
  reading.hasLoop = true;
  followRedirects(reading, loop, directories, feed);
  const behind = followAll(reading, loop.parts, directories, feedBehind(loop, feed));
  if (behind.length > directories.length) reading.problem ??= 'it changes its directory in a loop';
  return behind;
}

/** Follow the statements in order, whether earlier ones succeed, fail or do not run. */
function followAll(
  reading: Reading,
  parts: readonly Statement[],
  directories: readonly string[],
  feed: Feed,
): readonly string[] {
  return parts.reduce(
    (from, part) => together(reading, from, follow(reading, part, from, feed).inAnyCase),
    directories,
  );
}

function together(reading: Reading, ...lists: readonly (readonly string[])[]): readonly string[] {
  const [first] = lists;
  if (first !== undefined && lists.every((list) => list === first)) return first;
  const all = [...new Set(lists.flat())];
  if (all.length > MAX_DIRECTORIES) reading.problem ??= 'it changes its directory too often';
  return all;
}

function followRedirects(
  reading: Reading,
  { redirects, hereDocuments }: Pick<SimpleCommand, 'redirects' | 'hereDocuments'>,
  directories: readonly string[],
  feed: Feed,
): void {
  if (redirects.length + hereDocuments.length === 0) return;
  const command: SimpleCommand = { type: 'simple', words: [], redirects, hereDocuments };
  followSimple(reading, command, directories, feed);
}

function followSimple(
  reading: Reading,
  command: SimpleCommand,
  directories: readonly string[],
  feed: Feed,
): Whereabouts {
  reading.problem ??= whyNotSimple(command);
  if (reading.problem !== undefined) return stays(directories);
  const { place, commands, sites, changes } = reading;
  const { words, redirects } = command;
  const read = readCommand(command, { directories, place, feed });
  commands.push(read.command);
  const found = [...commandsIn(words), ...(read.fed === read.words ? [] : commandsIn(read.fed))];
  sites.push({ commands: found, redirects, directories });
  reading.isShadowed ||= shadowsNames(read.words);
  reading.hasUnknownMove ||= read.movesTo === undefined && MOVES.has(read.words[0]?.text ?? '');
  changes.push(...changeOf(read.words, directories, place, commands.length - 1));
  if (read.movesTo === undefined) return stays(directories);
  return { whenItWorked: read.movesTo, inAnyCase: together(reading, directories, read.movesTo) };
}

function stays(directories: readonly string[]): Whereabouts {
  return { whenItWorked: directories, inAnyCase: directories };
}

/** The name may mean another program by now; only a rule may allow the command. */
function withoutTrust(command: ShellCommand): ShellCommand {
  return { ...command, effect: 'none' };
}
