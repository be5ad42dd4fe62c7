import { foldPath } from './fold-path.js';
import { relativeTo } from './normalise.js';
import type { Place } from './path-fact.js';

/** What others run or trust without looking: version control, shells, editors, package managers, this program. */
const DIRECTORIES: ReadonlySet<string> = new Set(
  '.git .ssh .troupe .vscode .idea .husky .cargo .devcontainer .yarn .mvn'.split(' '),
);

const FILES: ReadonlySet<string> = new Set(
  [
    '.gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_aliases .bash_logout',
    '.zshrc .zprofile .zshenv .zlogin .zlogout .profile .envrc',
    '.npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml',
    '.bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml',
    'lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml',
    'gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc',
    'pyrightconfig.json .mcp.json .claude.json',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Whether writing to a normalised path needs a person, whatever rules allow. Directories count anywhere in the path
 * below the workspace that holds it (the workspace's own location does not make everything in it protected).
 *
 * @param roots the workspace's directories.
 */
export function isProtectedPath(
  path: string,
  roots: readonly string[],
  place: Pick<Place, 'isCaseInsensitive'>,
): boolean {
  return isProtectedName(fold(belowRoots(path, roots) ?? path.slice(1), place));
}

/** What no classifier may let be changed: it would not show in what the project's version control says has changed, or is this program's own. */
const OUT_OF_SIGHT: ReadonlySet<string> = new Set(
  '.git .ssh .troupe .claude .config .mcp.json .claude.json'.split(' '),
);

/** Whether a protected path is a project's own configuration: whoever looks at its changes sees that it was written. */
export function isProjectConfiguration(
  path: string,
  roots: readonly string[],
  place: Pick<Place, 'isCaseInsensitive'>,
): boolean {
  const inside = belowRoots(path, roots);
  if (inside === undefined) return false;
  return !fold(inside, place)
    .split('/')
    .some((segment) => OUT_OF_SIGHT.has(segment));
}

/** Also without the dots and blanks that Windows takes off the end of a name. */
function fold(path: string, place: Pick<Place, 'isCaseInsensitive'>): string {
  const folded = foldPath(path, place);
  return place.isCaseInsensitive === true ? folded.replace(/[. ]+(?=\/|$)/g, '') : folded;
}

/** Relative to the innermost root that holds it. */
function belowRoots(path: string, roots: readonly string[]): string | undefined {
  const inside = roots.map((root) => relativeTo(root, path)).filter((rest) => rest !== undefined);
  return inside.sort((a, b) => a.length - b.length)[0];
}

/** Whether a path below a workspace, relative to it, is protected. */
export function isProtectedName(path: string): boolean {
  const segments = path.split('/');
  if (FILES.has(segments.at(-1) ?? '')) return true;
  return segments.some((segment, index) => {
    const next = segments[index + 1];
    if (segment === '.claude' || segment === '.troupe') return next !== 'worktrees'; // where agents work
    if (segment === '.config') return next === 'git';
    return DIRECTORIES.has(segment);
  });
}

/** The protected names as they may stand directly in a folder; `.config/git` is the one that is further down. */
export const PROTECTED_NAMES: {
  readonly directories: readonly string[];
  readonly files: readonly string[];
} = { directories: [...DIRECTORIES, '.claude', '.config/git'], files: [...FILES] };
