import type { ToolPermissionContext } from '../../core/permission-types.js';
import { normalisePath, relativeTo } from './normalise.js';
import { spellingsOf, type PathFact, type Place } from './path-fact.js';

/** A pure cache: an entry depends on its context and place alone, and is collected with them. */
const known = new WeakMap<ToolPermissionContext, WeakMap<Place, readonly string[]>>();

/**
 * The directories in which files may be read without approval: the project and added folders, under all their names.
 */
export function workspaceRoots(context: ToolPermissionContext, place: Place): readonly string[] {
  const ofContext = known.get(context) ?? new WeakMap<Place, readonly string[]>();
  known.set(context, ofContext);
  const roots = ofContext.get(place) ?? findRoots(context, place);
  ofContext.set(place, roots);
  return roots;
}

function findRoots(context: ToolPermissionContext, place: Place): readonly string[] {
  const added = Object.values(context.additionalWorkingDirectories);
  return [place.projectRoot, ...added.map(({ path }) => normalisePath(path))].flatMap((directory) =>
    spellingsOf(directory, place),
  );
}

/** Whether both spellings are inside. A path that cannot be resolved never is. */
export function isInWorkspace(path: PathFact, roots: readonly string[]): boolean {
  return (
    path.resolved !== undefined && isInside(path.lexical, roots) && isInside(path.resolved, roots)
  );
}

function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => relativeTo(root, path) !== undefined);
}
