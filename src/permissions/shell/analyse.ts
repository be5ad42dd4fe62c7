import { agrees } from './grammar/agreement.js';
import type { PathMarks, Place, ShellPath } from '../paths/path-fact.js';
import { findCriticalRemoval } from './commands/critical-removal.js';
import { foldersFrom } from './arguments/command-folders.js';
import {
  fileArguments,
  MAX_PATHS,
  takesFiles,
  type FileArgument,
} from './arguments/file-arguments.js';
import { fillWords } from './texts/fill-words.js';
import { aloneAsText, spellings } from './texts/command-texts.js';
import { withoutContinuations } from './words/continuation.js';
import { findCommands, type Found } from './texts/found-commands.js';
import { showsContents } from './arguments/git-contents.js';
import { joinLines } from './words/join-lines.js';
import { knownValues, type KnownValues } from './words/known-values.js';
import { analyseOverlong } from './overlong.js';
import { parseStatements } from './statements/parse-statements.js';
import { isMove, movesOf } from './arguments/moves.js';
import { holdsHidden, isOverlong, preCheck } from './tokens/pre-check.js';
import { otherPathsOf } from './commands/other-paths.js';
import { DESCRIPTOR } from './arguments/read-redirects.js';
import { readCommands, type CommandSite, type ReadCommands } from './commands/read-commands.js';
import type { ShellAnalysis } from './effects/shell-analysis.js';
import { createPathList } from './arguments/path-list.js';
import { fillKnownVariables } from './arguments/shell-paths.js';
import type { ShellRedirect, ShellToken, ShellTokens, ShellWord } from './words/shell-token.js';
import type { ParseShell } from './grammar/syntax-node.js';
import { tokenise } from './tokens/tokenise.js';

/**
 * Read a command line. For an approval, all of the line must be understood as simple commands of static words, and a
 * second reader must agree. The texts for rules that deny or ask come from everywhere in the line, whether the rest is
 * understood or not. Paths are not resolved yet. Never throws.
 *
 * @param parse the second reader; nothing is approved without one.
 */
export function analyse(
  command: string,
  place: Place,
  parse: ParseShell | undefined,
): ShellAnalysis {
  if (isOverlong(command)) return analyseOverlong(command);
  const read: Read = (source, tokens) => readTwice(source, tokens, place, parse);
  try {
    return analyseTokens(command, place, read);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // nested too deep for this reader: nothing is approved, and every piece of the line counts as a command
    const unquoted = withoutContinuations(command).replace(/["'\\]/g, '');
    const pieces = [command, unquoted].flatMap((text) => text.split(/[;&|\n(){}`"'$<>]+/));
    const denyTexts = pieces.map((piece) => aloneAsText(piece.trim()));
    return {
      command,
      problem: 'it is nested too deep',
      isOpaque: true,
      commands: [],
      denyTexts,
      paths: [],
      otherPaths: [],
      hasUnseenPaths: true,
      readsHistory: true,
    };
  }
}

/** Like {@link analyse}, by our own reader alone: for uses that decide no permission. */
export function analyseAlone(command: string, place: Place): ReadCommands {
  if (isOverlong(command)) return unread('it is too long');
  const tokens = tokenise(command);
  const problem = preCheck(command) ?? tokens.problem;
  if (problem !== undefined) return unread(problem);
  const parsed = parseStatements(tokens.tokens);
  return 'problem' in parsed ? unread(parsed.problem) : readCommands(parsed.statement, place);
}

type Read = (source: string, tokens: ShellTokens) => ReadCommands;

function readTwice(
  command: string,
  tokens: ShellTokens,
  place: Place,
  parse: ParseShell | undefined,
): ReadCommands {
  const problem = preCheck(command) ?? tokens.problem;
  if (problem !== undefined) return unread(problem);
  const source = joinLines(command);
  const joined = source === command ? tokens : tokenise(source);
  if (joined !== tokens && !areSame(tokens.tokens, joined.tokens)) {
    return unread('its line continuations are not understood');
  }
  const parsed = parseStatements(joined.tokens);
  if ('problem' in parsed) return unread(parsed.problem);
  const read = readCommands(parsed.statement, place);
  if (read.problem !== undefined) return read;
  if (parse === undefined) return unread('the grammar of the shell could not be loaded');
  const tree = parse(source);
  if (tree === undefined || !agrees(source, tree, joined.tokens, parsed)) {
    return unread('it can be read in more than one way');
  }
  return read;
}

function unread(problem: string): ReadCommands {
  return { problem, commands: [], sites: [] };
}

function areSame(ours: readonly ShellToken[], others: readonly ShellToken[]): boolean {
  const textOf = (token: ShellToken): string => {
    if (token.type === 'word') return `word ${token.raw}`;
    if (token.type === 'redirect') return `${token.operator} ${token.target.raw}`;
    return token.type === 'operator' ? token.operator : `<< ${token.delimiter.raw} ${token.body}`;
  };
  return (
    ours.length === others.length &&
    ours.every((token, index) => textOf(token) === textOf(others[index] ?? token))
  );
}

function analyseTokens(command: string, place: Place, readAll: Read): ShellAnalysis {
  const tokens = tokenise(command);
  const found = findCommands(command, tokens);
  const read = readAll(command, tokens);
  const values = knownValues(found.commands, found.redirects);
  const { sites, isAnywhere } = sitesOf(found, read, values, place);
  const { paths, areAll } = pathsOf(sites, values, place, command.includes('|'));
  const others = otherPathsOf(sites, values, place);
  const problem = read.problem ?? (areAll && others.areAll ? undefined : 'it names too many files');
  const criticalRemoval = findCriticalRemoval(sites, values, place);
  return {
    command,
    commands: problem === undefined ? read.commands : [],
    denyTexts: spellings(found.commands, values),
    paths,
    otherPaths: others.paths,
    hasUnseenPaths:
      !(areAll && others.areAll) ||
      (isAnywhere && paths.length > 0) ||
      found.commands.some(({ words, start }) => words[start]?.text === 'xargs'),
    readsHistory: found.commands.some(({ words, start }) => showsContents(words, start)),
    ...(problem === undefined ? {} : { problem }),
    ...(holdsHidden(command) ? { isOpaque: true } : {}),
    ...(criticalRemoval === undefined ? {} : { criticalRemoval }),
  };
}

type Sites = {
  readonly sites: readonly CommandSite[];
  /** A command may run in a directory that is only known at run time. */
  readonly isAnywhere: boolean;
};

/** Each command with its directories. A text that a shell gets may run in each directory of the line. */
function sitesOf(found: Found, read: ReadCommands, values: KnownValues, place: Place): Sites {
  const moves = found.commands.filter(isMove);
  const isFollowed = read.hasUnknownMove !== true && moves.every(({ start }) => start === 0);
  const isRead = read.problem === undefined && isFollowed && !found.within.commands.some(isMove);
  if (isRead && found.within.commands.length + found.within.redirects.length === 0)
    return { sites: read.sites, isAnywhere: false };
  const shells = [...new Set([place.cwd, ...read.sites.flatMap(({ directories }) => directories)])];
  const foldersOf = foldersFrom(shells, values, place);
  const lists = [...new Set(found.commands.map(({ words }) => words))];
  const others = lists.map(foldersOf).filter((folders) => folders !== shells);
  const known = [...new Set([...shells, ...others.flatMap((folders) => folders ?? [])])];
  // a text may move before the commands around it do
  const { directories, areUnknown } = movesOf([...moves, ...moves], known, place);
  const outside = isRead ? read.sites : [];
  const inside = isRead ? found.within : found;
  return { sites: [...outside, { ...inside, directories }], isAnywhere: areUnknown };
}

type FoundPaths = {
  readonly paths: readonly ShellPath[];
  /** There are no other paths. */
  readonly areAll: boolean;
};

/** Each path once; a path counts again for each other use of it. */
function pathsOf(
  sites: readonly CommandSite[],
  values: KnownValues,
  place: Place,
  mayHaveInput: boolean,
): FoundPaths {
  const list = createPathList(place);
  let left = MAX_PATHS;
  for (const { commands, redirects, directories } of sites) {
    const add = (file: FileArgument, folders = directories): void => {
      if (left <= 0) return;
      left -= folders.length;
      list.add(fillKnownVariables(file.word, place), file, folders);
    };
    const foldersOf = foldersFrom(directories, values, place);
    for (const { words, start } of commands) {
      if (left <= 0) break;
      const program = words[start];
      if (program === undefined || !mayTakeFiles(program, values)) continue;
      const own = start === 0 ? words : words.slice(start);
      const filled = fillWords(own, values, MAX_PATHS);
      for (const file of fileArguments(filled.words, { mayHaveInput, most: left }))
        add(file, foldersOf(words));
      if (!filled.areAll) left = 0;
    }
    for (const redirect of redirects) if (isFile(redirect)) add(targetOf(redirect));
  }
  return { paths: list.paths(), areAll: left > 0 };
}

/** Beyond this number of names, a program may take files. */
const MAX_NAMES = 64;

function mayTakeFiles(program: ShellWord, values: KnownValues): boolean {
  if (!program.isDynamic) return takesFiles(program.text);
  const { words, areAll } = fillWords([program], values, MAX_NAMES);
  return !areAll || takesFiles(words[0]?.text ?? '');
}

function targetOf({ operator, target }: ShellRedirect): FileArgument {
  const marks: PathMarks = target.isGlob ? { isGlob: true } : {};
  return operator === '<'
    ? { word: target, access: 'read', marks }
    : { word: target, access: 'write', marks: { isOverwritten: true, ...marks } };
}

/** Not a descriptor, not /dev/null. */
function isFile({ operator, target }: ShellRedirect): boolean {
  if (operator === '<<<' || target.text === '/dev/null') return false;
  return !(/^[<>]&$/.test(operator) && DESCRIPTOR.test(target.text));
}
