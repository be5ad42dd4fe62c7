import type { PermissionRule } from '../core/permission-types.js';
import type { CompiledRule } from './compiled-rules.js';
import { globMeetsPattern } from './paths/glob-meets-pattern.js';
import { spellingsOf, type PathFact, type Place } from './paths/path-fact.js';
import type { ShellAnalysis } from './shell/shell-analysis.js';

/**
 * The rule for files that a command line may match without naming them: through a wildcard, a folder that is read
 * whole, files that come out of a pipe, or the history of the project in git. Rules for `Edit` match wildcards of
 * written files.
 */
export function findPossibleFileRule(
  rules: readonly CompiledRule[],
  { paths: known, otherPaths, hasUnseenPaths, readsHistory }: ShellAnalysis,
  place: Place,
): PermissionRule | undefined {
  const paths = [...known, ...otherPaths];
  const wildcards = paths.filter(({ isGlob }) => isGlob === true);
  const globs = wildcards.flatMap(bothSpellings);
  const written = wildcards
    .filter(({ access, isSource }) => access === 'write' && isSource !== true)
    .flatMap(bothSpellings);
  const trees = paths.filter(({ isTree }) => isTree === true).flatMap(bothSpellings);
  if (readsHistory) trees.push(...spellingsOf(place.projectRoot, place));
  if (globs.length + trees.length === 0 && !hasUnseenPaths) return undefined;
  return rules.find((compiled) => {
    const { toolName } = compiled.rule.value;
    const pattern = compiled.pathPattern();
    if (toolName === 'Edit') return written.some((glob) => globMeetsPattern(glob, pattern, place));
    if (toolName !== 'Read') return false;
    return (
      hasUnseenPaths ||
      trees.some((tree) => pattern.namesBelow(tree, place) !== undefined) ||
      globs.some((glob) => globMeetsPattern(glob, pattern, place))
    );
  })?.rule;
}

function bothSpellings({ lexical, resolved }: PathFact): readonly string[] {
  return resolved === undefined || resolved === lexical ? [lexical] : [lexical, resolved];
}
