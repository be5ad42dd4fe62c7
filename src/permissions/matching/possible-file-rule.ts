import type { PermissionRule } from '../../core/permission-types.js';
import type { CompiledRule } from '../rules/compiled-rules.js';
import { globMeetsPattern } from '../paths/glob-meets-pattern.js';
import { wildcardsMeet } from '../../core/text/wildcard.js';
import {
  spellingsOf,
  type PathFact,
  type PathMarks,
  type Place,
  type ShellPath,
} from '../paths/path-fact.js';
import { isInFolders, spreadOut } from '../paths/path-in-folders.js';
import type { PathPattern } from '../paths/path-pattern.js';
import type { ShellAnalysis } from '../shell/effects/shell-analysis.js';

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
  const paths = spreadOut([...known, ...otherPaths].filter(isMarked));
  const wildcards = paths.filter(({ isGlob }) => isGlob === true);
  const globs = wildcards.flatMap(bothSpellings);
  const written = wildcards
    .filter(({ access, isSource }) => access === 'write' && isSource !== true)
    .flatMap(bothSpellings);
  const trees: Tree[] = paths
    .filter(({ isTree, isMoved }) => isTree === true || isMoved === true)
    .flatMap((marks) => bothSpellings(marks).map((folder) => ({ folder, marks })));
  if (readsHistory)
    trees.push(...spellingsOf(place.projectRoot, place).map((folder) => ({ folder, marks: {} })));
  if (globs.length + trees.length === 0 && !hasUnseenPaths) return undefined;
  return rules.find((compiled) => {
    const { toolName } = compiled.rule.value;
    const pattern = compiled.pathPattern();
    if (toolName === 'Edit') return written.some((glob) => globMeetsPattern(glob, pattern, place));
    if (toolName !== 'Read') return false;
    return (
      hasUnseenPaths ||
      trees.some((tree) => mayHold(tree, pattern, place)) ||
      globs.some((glob) => globMeetsPattern(glob, pattern, place))
    );
  })?.rule;
}

/** A path that stands for more than one file. */
function isMarked(path: ShellPath): boolean {
  const { isGlob, isTree, isMoved } = isInFolders(path) ? path.marks : path;
  return isGlob === true || isTree === true || isMoved === true;
}

function bothSpellings({ lexical, resolved }: PathFact): readonly string[] {
  return resolved === undefined || resolved === lexical ? [lexical] : [lexical, resolved];
}

type Tree = { readonly folder: string; readonly marks: PathMarks };

/** Whether a folder may hold a file of the pattern that is read with it. A rule for a name alone also matches a file that is moved. */
function mayHold({ folder, marks }: Tree, pattern: PathPattern, place: Place): boolean {
  const names = pattern.namesBelow(folder, place);
  if (names === undefined) return false;
  const isAnywhere = names[0] === '**';
  if (marks.isMoved === true) return !isAnywhere;
  if (marks.skipsHidden === true && isAnywhere && names.some((name) => name.startsWith('.')))
    return false;
  const last = names.at(-1) ?? '**';
  return marks.onlyNames === undefined || last === '**' || wildcardsMeet(last, marks.onlyNames);
}
