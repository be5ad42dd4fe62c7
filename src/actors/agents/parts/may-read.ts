import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { deniesRead } from '../../../permissions/matching/denies-read.js';
import { normalisePath } from '../../../permissions/paths/normalise.js';
import type { Place } from '../../../permissions/paths/path-fact.js';
import type { ToolUseContext } from '../../../tools/tool.js';
import { ignoresCase } from '../../facts/path-facts.js';
import type { Caller } from './caller.js';

/** A caller of tools that read files. */
export type Reader = Pick<Caller, 'permissionContext' | 'toolContext'>;

/**
 * Judge the files that a search finds, by the agent's present rules.
 *
 * @param approved the paths that the search itself was allowed for.
 */
export function createMayRead(
  { permissionContext, toolContext }: Reader,
  approved: readonly string[],
): (path: string) => boolean {
  let place: Place | undefined;
  return (path) =>
    !deniesRead(permissionContext(), (place ??= placeOf(toolContext)), path, approved);
}

function placeOf({ files, session: { env } }: ToolUseContext): Place {
  const { cwd, projectRoot, outerRoots = [] } = files;
  const place = {
    cwd: normalisePath(cwd),
    projectRoot: normalisePath(projectRoot),
    home: normalisePath(env?.['HOME'] ?? homedir()),
  };
  const outer = outerRoots.map(normalisePath);
  const realPaths = [...Object.values(place), ...outer].map(
    (path) => [path, realPathOf(path)] as const,
  );
  return {
    ...place,
    outerRoots: outer,
    realPaths: Object.fromEntries(realPaths),
    ...(ignoresCase(place.projectRoot) ? { isCaseInsensitive: true } : {}),
  };
}

/** A missing path is returned unchanged, since a search finds nothing in it. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
