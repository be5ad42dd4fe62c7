import type { Place } from '../paths/path-fact.js';
import { feedBehind, feedsOf, type Feed } from './feed.js';
import { commandsIn } from './found-commands.js';
import type { FoundCommand } from './segments.js';
import { changeOf, markStale, shadowsNames, type Change } from './earlier-commands.js';
import { readCommand, whyNotSimple } from './read-command.js';
import type { ShellCommand } from './shell-analysis.js';
import type { ShellRedirect } from './shell-token.js';
import type { SimpleCommand, Statement } from './statement.js';

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

/** Where a shell may be behind a statement. */
type Whereabouts = {
  readonly whenItWorked: readonly string[];
  readonly inAnyCase: readonly string[];
};

const MAX_DIRECTORIES = 8;

/**
 * Reads every simple command of a statement, following `cd` from one to the next: behind `&&` the move has happened, behind
 * any other separator it may or may not have; out of a subshell it is not carried.
 */
export function readCommands(statement: Statement, place: Place): ReadCommands {
  const commands: ShellCommand[] = [];
  const sites: CommandSite[] = [];
  const changes: Change[] = [];
  let problem: string | undefined;
  let hasLoop = false;
  let isShadowed = false;

  follow(statement, [place.cwd], undefined);
  const marked = markStale(commands, changes, hasLoop);
  return problem === undefined
    ? { commands: isShadowed ? marked.map(withoutTrust) : marked, sites }
    : { problem, commands: [], sites };

  function together(...lists: readonly (readonly string[])[]): readonly string[] {
    const [first] = lists;
    if (first !== undefined && lists.every((list) => list === first)) return first;
    const all = [...new Set(lists.flat())];
    if (all.length > MAX_DIRECTORIES) problem ??= 'it changes its directory too often';
    return all;
  }

  function follow(node: Statement, directories: readonly string[], feed: Feed): Whereabouts {
    if (problem !== undefined) return stays(directories);
    switch (node.type) {
      case 'simple':
        return followSimple(node, directories, feed);
      case 'sequence':
        return stays(followAll(node.parts, directories, feed));
      case 'andOr': {
        let { whenItWorked, inAnyCase } = follow(node.first, directories, feed);
        for (const { operator, statement: next } of node.rest) {
          const from = operator === '&&' ? whenItWorked : inAnyCase;
          const behind = follow(next, from, feed);
          inAnyCase = together(inAnyCase, behind.inAnyCase);
          whenItWorked = operator === '&&' ? behind.whenItWorked : inAnyCase;
        }
        return { whenItWorked, inAnyCase };
      }
      case 'pipeline': {
        const feeds = feedsOf(node.parts, feed);
        const behind = node.parts.reduce(
          (from, part, index) => together(from, follow(part, from, feeds[index]).inAnyCase),
          directories,
        );
        return stays(behind);
      }
      case 'group':
        followRedirects(node, directories, feed);
        return follow(node.body, directories, feedBehind(node, feed));
      case 'subshell':
        followRedirects(node, directories, feed);
        follow(node.body, directories, feedBehind(node, feed));
        return stays(directories);
      case 'if':
      case 'case':
        followRedirects(node, directories, feed);
        return stays(followAll(node.parts, directories, feedBehind(node, feed)));
      case 'loop': {
        hasLoop = true;
        followRedirects(node, directories, feed);
        const behind = followAll(node.parts, directories, feedBehind(node, feed));
        if (behind.length > directories.length) problem ??= 'it changes its directory in a loop';
        return stays(behind);
      }
      default:
        return node satisfies never;
    }
  }

  /** One behind the other, whether or not those before have worked or run at all. */
  function followAll(
    parts: readonly Statement[],
    directories: readonly string[],
    feed: Feed,
  ): readonly string[] {
    return parts.reduce(
      (from, part) => together(from, follow(part, from, feed).inAnyCase),
      directories,
    );
  }

  function followRedirects(
    { redirects, hereDocuments }: Pick<SimpleCommand, 'redirects' | 'hereDocuments'>,
    directories: readonly string[],
    feed: Feed,
  ): void {
    if (redirects.length + hereDocuments.length === 0) return;
    followSimple({ type: 'simple', words: [], redirects, hereDocuments }, directories, feed);
  }

  function followSimple(
    command: SimpleCommand,
    directories: readonly string[],
    feed: Feed,
  ): Whereabouts {
    problem ??= whyNotSimple(command);
    if (problem !== undefined) return stays(directories);
    const { words, redirects } = command;
    const read = readCommand(command, { directories, place, feed });
    commands.push(read.command);
    const found = [...commandsIn(words), ...(read.fed === read.words ? [] : commandsIn(read.fed))];
    sites.push({ commands: found, redirects, directories });
    isShadowed ||= shadowsNames(read.words);
    changes.push(...changeOf(read.words, directories, place, commands.length - 1));
    if (read.movesTo === undefined) return stays(directories);
    return { whenItWorked: read.movesTo, inAnyCase: together(directories, read.movesTo) };
  }
}

function stays(directories: readonly string[]): Whereabouts {
  return { whenItWorked: directories, inAnyCase: directories };
}

/** Its name may mean another program by now; only a rule may allow it. */
function withoutTrust(command: ShellCommand): ShellCommand {
  return { ...command, effect: 'none' };
}
