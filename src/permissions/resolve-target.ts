import type { TargetFacts } from './facts.js';
import type { GlobMatches } from './paths/expand-glob.js';
import { normalisePath } from './paths/normalise.js';
import type { PathFact } from './paths/path-fact.js';

/** What is at a path, links followed. */
export type Kind = 'directory' | 'other' | 'missing';

/** What is below a directory. */
export type Tree = { readonly holdsProtected: boolean; readonly holdsLinks: boolean };

/** Every path, as given, that has to be resolved before a target can be judged. */
export function pathsToResolve(target: TargetFacts): readonly string[] {
  return givenOf(target, () => true);
}

/** Every path, as given, whose wildcards have to be filled in. */
export function globsToExpand(target: TargetFacts): readonly string[] {
  return givenOf(target, ({ isGlob }) => isGlob === true);
}

/** Every path, as given, of which it counts whether a directory is there. */
export function pathsToLookAt(target: TargetFacts): readonly string[] {
  return [...new Set(factsOf(target).flatMap((fact) => subjectOf(fact) ?? []))];
}

/** Every path of which it counts what is below it. */
export function treesToLookInto(target: TargetFacts): readonly string[] {
  const trees = factsOf(target).flatMap(
    ({ given, isCopied, isMoved, followsLinks, comesFrom = [] }) =>
      [isCopied, isMoved, followsLinks].includes(true) ? [given, ...comesFrom] : comesFrom,
  );
  return [...new Set(trees)];
}

/**
 * The target as far as what is below a folder makes it harmless or not: protected files that come along, links
 * that lead out of it and are followed, moved or copied.
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

/** As a path of which nobody knows where it leads. */
function withoutTarget({ resolved: _, ...unresolved }: PathFact): PathFact {
  return unresolved;
}

/** The target with its paths resolved. @param resolve undefined for a path that cannot be resolved. */
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
 * The target with the links and protected files added that its wildcards stand for, also those that they bring to another
 * folder, and with the folders that are moved.
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

/** The path of the same name in the folder that another path stands in. */
export function beside({ given }: PathFact, path: string): string {
  return given.slice(0, given.lastIndexOf('/') + 1) + path.slice(path.lastIndexOf('/') + 1);
}

/**
 * The target as far as what is there now makes it harmless or not: a file has nothing below it, what a folder holds is
 * read as well. What an earlier command of the same line may change is left as it is.
 */
export function withKinds(target: TargetFacts, kindOf: (given: string) => Kind): TargetFacts {
  const isAlone = target.kind === 'shell' && target.analysis.commands.length === 1;
  return mapFacts(target, (fact) => {
    const subject = subjectOf(fact);
    if (subject === undefined) return [fact];
    const kind = kindOf(subject);
    if (fact.isInTarget === true) return isAlone && kind !== 'directory' ? [] : [fact];
    if (kind === 'directory' && fact.followsLinks === true) return [{ ...fact, isTree: true }];
    if (kind !== 'other') return [fact];
    const { isTree: _, followsLinks: _links, ...plain } = fact;
    return [plain];
  });
}

/** The path on whose kind a fact depends. */
function subjectOf({ given, isGlob, isInTarget, isTree, followsLinks }: PathFact) {
  if (isInTarget === true) return given.slice(0, given.lastIndexOf('/')) || '/';
  return isGlob !== true && (isTree === true || followsLinks === true) ? given : undefined;
}

/** The target with each of its paths replaced. */
export function mapFacts(
  target: TargetFacts,
  change: (fact: PathFact) => readonly PathFact[],
): TargetFacts {
  const changeAll = (facts: readonly PathFact[]): readonly PathFact[] => facts.flatMap(change);
  switch (target.kind) {
    case 'paths':
      return { kind: 'paths', paths: changeAll(target.paths) };
    case 'shell': {
      const { analysis } = target;
      const commands = analysis.commands.map((command) => ({
        ...command,
        paths: changeAll(command.paths),
        redirects: changeAll(command.redirects),
      }));
      const paths = changeAll(analysis.paths);
      const otherWrites = changeAll(analysis.otherWrites);
      return { kind: 'shell', analysis: { ...analysis, commands, paths, otherWrites } };
    }
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

/** Every path of a target, once for each use of it. */
export function factsOf(target: TargetFacts): readonly PathFact[] {
  if (target.kind === 'paths') return target.paths;
  if (target.kind === 'name' || target.kind === 'web') return [];
  const { commands, paths, otherWrites } = target.analysis;
  const own = commands.flatMap((command) => [...command.paths, ...command.redirects]);
  return [...own, ...paths, ...otherWrites];
}
