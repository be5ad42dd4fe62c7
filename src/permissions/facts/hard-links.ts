import type { TargetFacts } from './facts.js';
import type { PathFact } from '../paths/path-fact.js';
import type { GlobMatches } from '../paths/expand-glob.js';
import { beside, factsOf, mapFacts } from './resolve-target.js';

/** The paths that a command line overwrites. All absolute. */
export type Overwritten = {
  readonly files: readonly string[];
  /** Files, and folders with everything in them. */
  readonly trees: readonly string[];
};

type MatchesOf = (given: string) => GlobMatches;

/** Every path that matters if the file there has a second name. */
export function pathsToOverwrite(target: TargetFacts, matchesOf: MatchesOf): Overwritten {
  const all = factsOf(target).map((fact) => overwrittenBy(fact, matchesOf));
  return {
    files: all.flatMap(({ files }) => files),
    trees: all.flatMap(({ trees }) => trees),
  };
}

/** Mark the paths that overwrite a file with a second name. */
export function withOtherNames(
  target: TargetFacts,
  matchesOf: MatchesOf,
  isShared: (kind: keyof Overwritten, path: string) => boolean,
): TargetFacts {
  return mapFacts(target, (fact) => {
    const { files, trees } = overwrittenBy(fact, matchesOf);
    const hasOtherNames =
      files.some((path) => isShared('files', path)) ||
      trees.some((path) => isShared('trees', path));
    return [hasOtherNames ? { ...fact, hasOtherNames } : fact];
  });
}

function overwrittenBy(fact: PathFact, matchesOf: MatchesOf): Overwritten {
  const { given, isGlob, isCopied, isOverwritten, namedAfter, comesFrom = [] } = fact;
  if (isOverwritten !== true) return { files: [], trees: [] };
  if (isCopied === true) return { files: [], trees: [given, ...comesFrom] };
  if (isGlob !== true) return { files: [given], trees: comesFrom };
  const names =
    namedAfter === undefined
      ? matchesOf(given).names
      : matchesOf(namedAfter).names.map((name) => beside(fact, name));
  return { files: names, trees: comesFrom };
}
