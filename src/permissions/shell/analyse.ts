import { normalisePath } from '../paths/normalise.js';
import type { PathFact, Place } from '../paths/path-fact.js';
import { findCriticalRemoval } from './critical-removal.js';
import { fileArguments } from './file-arguments.js';
import { findCommands, spellings, type FoundCommand } from './found-commands.js';
import { showsContents } from './git-contents.js';
import { preCheck } from './pre-check.js';
import { DESCRIPTOR } from './read-redirects.js';
import { readCommands, type CommandSite } from './read-commands.js';
import type { ShellAnalysis } from './shell-analysis.js';
import { fillKnownVariables, toPathFact } from './shell-paths.js';
import type { ShellRedirect } from './shell-token.js';
import { tokenise } from './tokenise.js';

/**
 * Reads a command line. Approval needs all of it understood, as a list of simple commands of static words; what rules
 * that deny or ask are matched against is found everywhere, also where the rest is not understood. Paths are not
 * resolved yet. Never throws.
 */
export function analyse(command: string, place: Place): ShellAnalysis {
  try {
    return analyseTokens(command, place);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // nested too deep for this reader: nothing is approved, and every piece of it counts as a command
    const denyTexts = command.split(/[;&|\n(){}`"'$<>]+/).map((piece) => piece.trim());
    return {
      command,
      problem: 'it is nested too deep',
      commands: [],
      denyTexts,
      paths: [],
      hasUnseenPaths: true,
      readsHistory: true,
    };
  }
}

function analyseTokens(command: string, place: Place): ShellAnalysis {
  const tokens = tokenise(command);
  const found = findCommands(command, tokens);
  const read = readCommands(tokens, place);
  const problem = preCheck(command) ?? tokens.problem ?? read.problem;
  const sites: readonly CommandSite[] =
    problem === undefined
      ? read.sites
      : [{ ...found, directories: directoriesOf(found.commands, place) }];
  const criticalRemoval = sites
    .map((site) => findCriticalRemoval(site.commands, site.directories, place))
    .find((removal) => removal !== undefined);
  return {
    command,
    commands: problem === undefined ? read.commands : [],
    denyTexts: [...new Set(found.commands.flatMap(spellings))],
    paths: sites.flatMap((site) => pathsOf(site, place)),
    hasUnseenPaths: found.commands.some(({ words }) => words[0]?.text === 'xargs'),
    readsHistory: found.commands.some(({ words }) => showsContents(words)),
    ...(problem === undefined ? {} : { problem }),
    ...(criticalRemoval === undefined ? {} : { criticalRemoval }),
  };
}

/** Where commands may run, as far as the `cd`s among them can be read. */
function directoriesOf(commands: readonly FoundCommand[], place: Place): readonly string[] {
  const moves = commands.flatMap(({ words: [name, target] }) =>
    name?.text === 'cd' && target !== undefined ? [fillKnownVariables(target, place)] : [],
  );
  const directories = moves.map((word) => toPathFact(word, 'read', place.cwd, place.home).lexical);
  return [...new Set([place.cwd, ...directories])];
}

function pathsOf(
  { commands, redirects, directories }: CommandSite,
  place: Place,
): readonly PathFact[] {
  const files = commands.flatMap(({ words }) => fileArguments(words));
  const targets = redirects.filter(isFile).map(({ operator, target }) => ({
    word: target,
    access: operator === '<' ? ('read' as const) : ('write' as const),
    marks: target.isGlob ? { isGlob: true as const } : {},
  }));
  const facts = [...files, ...targets].flatMap(({ word, access, marks }) =>
    directories.map((directory) => ({
      ...toPathFact(fillKnownVariables(word, place), access, directory, place.home),
      ...marks,
    })),
  );
  const unique = new Map(
    facts.map((fact) => [`${fact.access} ${normalisePath(fact.given)} ${fact.given}`, fact]),
  );
  return [...unique.values()];
}

/** Not another descriptor, not the bin. */
function isFile({ operator, target }: ShellRedirect): boolean {
  if (operator === '<<<' || target.text === '/dev/null') return false;
  return !(/^[<>]&$/.test(operator) && DESCRIPTOR.test(target.text));
}
