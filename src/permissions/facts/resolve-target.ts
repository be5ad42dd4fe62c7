import type { TargetFacts } from './facts.js';
import type { GlobMatches } from '../paths/expand-glob.js';
import { normalisePath } from '../paths/normalise.js';
import type { PathFact, PathInFolders, ShellPath } from '../paths/path-fact.js';
import { inFolder, isInFolders, runsOf, type Runs } from '../paths/path-in-folders.js';

/** The kind of file at a path, links followed. */
export type Kind = 'directory' | 'other' | 'missing';

/** The content below a directory. */
export type Tree = { readonly holdsProtected: boolean; readonly holdsLinks: boolean };

/** Every folder of paths in folders. */
export function foldersToLookFor(target: TargetFacts): readonly string[] {
  if (target.kind !== 'shell') return [];
  const { paths, otherPaths } = target.analysis;
  const lists = [...paths, ...otherPaths].map((path) => (isInFolders(path) ? path.folders : []));
  return [...new Set([...new Set(lists)].flat())];
}

/** Take the paths in existing folders by themselves. @param isEmpty nothing is there, and no link leads there */
export function withFolders(
  target: TargetFacts,
  isEmpty: (folder: string) => boolean,
): TargetFacts {
  const known = new Map<readonly string[], Runs>();
  const runsIn = (folders: readonly string[]): Runs => {
    const found = known.get(folders) ?? runsOf(folders, isEmpty);
    known.set(folders, found);
    return found;
  };
  return mapFacts(
    target,
    (fact) => [fact],
    (path) =>
      runsIn(path.folders).map((run) =>
        typeof run === 'string' ? inFolder(path, run) : { ...path, folders: run },
      ),
  );
}

/** Every path, as given, that must be resolved before a target can be judged. */
export function pathsToResolve(target: TargetFacts): readonly string[] {
  return givenOf(target, () => true);
}

/** Every path, as given, with wildcards to expand. */
export function globsToExpand(target: TargetFacts): readonly string[] {
  return givenOf(target, ({ isGlob }) => isGlob === true);
}

/** Every path, as given, for which it matters whether it is a directory. */
export function pathsToLookAt(target: TargetFacts): readonly string[] {
  return [...new Set(factsOf(target).flatMap((fact) => subjectOf(fact) ?? []))];
}

/** Every path for which it matters what is below it. */
export function treesToLookInto(target: TargetFacts): readonly string[] {
  const trees = factsOf(target).flatMap(
    ({ given, isCopied, isMoved, followsLinks, comesFrom = [] }) =>
      [isCopied, isMoved, followsLinks].includes(true) ? [given, ...comesFrom] : comesFrom,
  );
  return [...new Set(trees)];
}

/**
 * Add what is below a folder to the target: protected files that come along, links out of the folder that are followed,
 * moved or copied.
 */
export function withTrees(target: TargetFacts, treeOf: (path: string) => Tree): TargetFacts {
  return mapFacts(target, (fact) => {
    const { given, isCopied, isMoved, followsLinks, comesFrom = [] } = fact;
    if (followsLinks === true && treeOf(given).holdsLinks) return [withoutTarget(fact)];
    if (isMoved === true && [given, ...comesFrom].some((path) => treeOf(path).holdsProtected))
      return [withoutTarget(fact)];
    const own = isCopied === true ? treeOf(given) : undefined;
    const isHarmless =
      (own === undefined || !(own.holdsLinks || (own.holdsProtected && fact.isTree === true))) &&
      comesFrom.every((path) => !treeOf(path).holdsLinks);
    return [isHarmless ? fact : withoutTarget(fact)];
  });
}

/** The path, marked as leading to an unknown place. */
function withoutTarget({ resolved: _, ...unresolved }: PathFact): PathFact {
  return unresolved;
}

/** Resolve the paths of a target. @param resolve undefined for a path that cannot be resolved. */
export function withResolvedPaths(
  target: TargetFacts,
  resolve: (given: string) => string | undefined,
): TargetFacts {
  return mapFacts(target, (fact) => {
    const resolved = fact.isStale === true ? undefined : resolve(fact.given);
    return [resolved === undefined ? fact : { ...fact, resolved }];
  });
}

/**
 * Add the links and protected files that the wildcards of a target match, those that they bring to another folder, and
 * the folders that are moved.
 */
export function withGlobMatches(
  target: TargetFacts,
  matchesOf: (given: string) => GlobMatches,
): TargetFacts {
  return mapFacts(target, (fact) => {
    if (fact.isGlob !== true) return [fact];
    const { isGlob: _, namedAfter, ...plain } = fact;
    const { links, folders } = matchesOf(fact.given);
    if (fact.isMoved === true && folders === undefined) return [{ ...fact, isStale: true }];
    const moved = fact.isMoved === true ? (folders ?? []) : [];
    const brought = namedAfter === undefined ? [] : matchesOf(namedAfter).links;
    const added = [...links, ...moved, ...brought.map((link) => beside(fact, link))];
    return [fact, ...added.map((given) => ({ ...plain, given, lexical: normalisePath(given) }))];
  });
}

/** The path of the same name in the folder of another path. */
export function beside({ given }: PathFact, path: string): string {
  return given.slice(0, given.lastIndexOf('/') + 1) + path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Add what is on disk now to the target: a file has nothing below it, and the content of a folder is read as well.
 * Paths that an earlier command of the same line may change stay as they are.
 */
export function withKinds(target: TargetFacts, kindOf: (given: string) => Kind): TargetFacts {
  const isAlone = target.kind === 'shell' && target.analysis.commands.length === 1;
  return mapFacts(
    target,
    (fact) => {
      const subject = subjectOf(fact);
      if (subject === undefined) return [fact];
      const kind = kindOf(subject);
      if (fact.isInTarget === true) return isAlone && kind !== 'directory' ? [] : [fact];
      if (kind === 'directory' && fact.followsLinks === true) return [{ ...fact, isTree: true }];
      if (kind !== 'other') return [fact];
      const { isTree: _, followsLinks: _links, ...plain } = fact;
      return [plain];
    },
    (path) => (path.marks.isInTarget === true && isAlone ? [] : [path]),
  );
}

/** The path whose kind a fact depends on. */
function subjectOf({ given, isGlob, isInTarget, isTree, followsLinks }: PathFact) {
  if (isInTarget === true) return given.slice(0, given.lastIndexOf('/')) || '/';
  return isGlob !== true && (isTree === true || followsLinks === true) ? given : undefined;
}

/** Replace each path of a target. */
export function mapFacts(
  target: TargetFacts,
  change: (fact: PathFact) => readonly PathFact[],
  changeInFolders: (path: PathInFolders) => readonly ShellPath[] = (path) => [path],
): TargetFacts {
  const changeAll = (facts: readonly PathFact[]): readonly PathFact[] => facts.flatMap(change);
  const changeEach = (paths: readonly ShellPath[]): readonly ShellPath[] =>
    paths.flatMap((path) => (isInFolders(path) ? changeInFolders(path) : change(path)));
  switch (target.kind) {
    case 'paths':
      return { kind: 'paths', paths: changeAll(target.paths) };
    case 'shell': {
      const { analysis } = target;
      const commands = analysis.commands.map((command) =>
        command.paths.length + command.redirects.length === 0
          ? command
          : {
              ...command,
              paths: changeAll(command.paths),
              redirects: changeAll(command.redirects),
            },
      );
      const paths = changeEach(analysis.paths);
      const otherPaths = changeEach(analysis.otherPaths);
      return { kind: 'shell', analysis: { ...analysis, commands, paths, otherPaths } };
    }
    case 'script':
    case 'web':
    case 'name':
      return target;
    default:
      return target satisfies never;
  }
}

function givenOf(target: TargetFacts, counts: (fact: PathFact) => boolean): readonly string[] {
  return [
    ...new Set(
      factsOf(target)
        .filter(counts)
        .map(({ given }) => given),
    ),
  ];
}

/** Every path of a target, once for each way that the target uses it, without paths in folders: nothing is there. */
export function factsOf(target: TargetFacts): readonly PathFact[] {
  if (target.kind === 'paths') return target.paths;
  if (target.kind !== 'shell') return [];
  const { commands, paths, otherPaths } = target.analysis;
  const own = commands.flatMap((command) => [...command.paths, ...command.redirects]);
  return [
    ...own,
    ...[...paths, ...otherPaths].flatMap((path) => (isInFolders(path) ? [] : [path])),
  ];
}
