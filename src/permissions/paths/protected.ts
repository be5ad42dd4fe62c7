import { foldPath } from './fold-path.js';
import { relativeTo } from './normalise.js';
import type { Place } from './path-fact.js';

/** Files that other programs run or trust unread: version control, shells, editors, package managers, Troupe itself. */
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
 * Whether a person must approve a write to a normalised path, whatever the rules allow. A protected directory counts
 * anywhere in the path below its workspace; the location of the workspace itself protects nothing.
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

/**
 * Paths whose change no classifier may approve: version control would not show the change, or the path belongs to
 * Troupe.
 */
const OUT_OF_SIGHT: ReadonlySet<string> = new Set(
  '.git .ssh .troupe .claude .config .mcp.json .claude.json'.split(' '),
);

/**
 * Whether a protected path is the configuration of a project. A review of the project's changes shows a write to it.
 */
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

/** Fold a path, also without the dots and blanks that Windows cuts off the end of a name. */
function fold(path: string, place: Pick<Place, 'isCaseInsensitive'>): string {
  const folded = foldPath(path, place);
  return place.isCaseInsensitive === true ? folded.replace(/[. ]+(?=\/|$)/g, '') : folded;
}

/** The path relative to the innermost root above it. */
function belowRoots(path: string, roots: readonly string[]): string | undefined {
  const inside = roots.map((root) => relativeTo(root, path)).filter((rest) => rest !== undefined);
  return inside.sort((a, b) => a.length - b.length)[0];
}

/** Folders of the notes of agents. */
const NOTES: ReadonlySet<string> = new Set(['agent-memory', 'agent-memory-local']);

/** Whether a path below `.claude` is one of the notes about a project: `projects/NAME/memory/FILE`. */
function isNote([first, , third, file]: readonly string[]): boolean {
  return first === 'projects' && third === 'memory' && file !== undefined;
}

/** Whether a path below a workspace, relative to it, is protected. */
export function isProtectedName(path: string): boolean {
  const segments = path.split('/');
  if (FILES.has(segments.at(-1) ?? '')) return true;
  return segments.some((segment, index) => {
    const next = segments[index + 1];
    if (segment === '.claude' && (NOTES.has(next ?? '') || isNote(segments.slice(index + 1))))
      return false;
    if (segment === '.claude' || segment === '.troupe') return next !== 'worktrees'; // the folder of worktrees
    if (segment === '.config') return next === 'git';
    return DIRECTORIES.has(segment);
  });
}

/** The protected names of a folder's direct entries; `.config/git` is the one further down. */
export const PROTECTED_NAMES: {
  readonly directories: readonly string[];
  readonly files: readonly string[];
} = { directories: [...DIRECTORIES, '.claude', '.config/git'], files: [...FILES] };
