import type { PermissionBehavior } from '../../core/permission-types.js';
import { foldPath } from './fold-path.js';
import { relativeTo } from './normalise.js';
import { spellingsOf, type Place } from './path-fact.js';
import { compileMatcher, type PathMatcher } from './path-matcher.js';

/**
 * Gitignore-style patterns. `//p` starts at the root, `~/p` at home, `/p` at the project, `p` and `./p` in the first
 * folder of the session. `*` and `?` stay within a segment, `**` crosses segments. A pattern without a slash matches a
 * name at any depth.
 *
 * Rules that deny or ask match more than rules that allow: a name covers everything below it, `src/**` also means a
 * nested `src`, `[ab]` is also a set of characters, and a relative pattern also starts at the present working
 * directory. In a worktree all patterns also start at the folder that the worktree was made from. On a file system that
 * ignores case, the patterns ignore it too.
 */
export type PathPattern = {
  readonly matches: (path: string, place: Place) => boolean;
  /**
   * Whether the pattern matches a normalised relative path in at least one of some folders. The pattern reads the
   * folders once for all paths.
   */
  readonly matcherIn: (folders: readonly string[], place: Place) => (name: string) => boolean;
  /**
   * The names, some of them patterns, from a directory down to a match below it; undefined if nothing below it can
   * match.
   */
  readonly namesBelow: (directory: string, place: Place) => readonly string[] | undefined;
};

export function compilePathPattern(text: string, behavior: PermissionBehavior): PathPattern {
  const isGenerous = behavior !== 'allow';
  const { anchor, body } = splitAnchor(text);
  const isFloating =
    anchor === 'relative' &&
    !text.startsWith('./') &&
    (!body.includes('/') || (isGenerous && /^[^/]+\/(?:\*\*)?$/.test(body)));
  const prefix = isFloating ? '**/' : '';
  const suffix = body.endsWith('/') ? '**' : '';
  const isName = !body.includes('/');
  const coversBelow = isGenerous && isName && isFloating;
  const full = prefix + body + suffix;
  const readings = isGenerous && /\[.+\]/.test(body) ? [false, true] : [false];
  const compile = (pattern: string): readonly PathMatcher[] =>
    readings.flatMap(
      (readsSets) => compileMatcher(pattern, { readsSets, coversBelow }) ?? [], // then only the literal reading counts
    );
  const matchers = compile(full);
  let folded: readonly PathMatcher[] | undefined;
  const matchersIn = (place: Place): readonly PathMatcher[] =>
    isGenerous && place.isCaseInsensitive === true
      ? (folded ??= compile(foldPath(full, place)))
      : matchers;
  const fold = (path: string, place: Place): string => (isGenerous ? foldPath(path, place) : path);
  const matches: PathPattern['matches'] = (path, place) =>
    anchorsOf(anchor, place, isGenerous).some((base) => {
      const rest = relativeTo(fold(base, place), fold(path, place));
      return rest !== undefined && matchersIn(place).some((matcher) => matcher.matches(rest));
    });
  return {
    matches,
    matcherIn: (folders, place) => {
      const bases = anchorsOf(anchor, place, isGenerous).map((base) => fold(base, place));
      const inPlace = folders.map((folder) => fold(folder, place));
      const runs = bases.flatMap((base) => {
        const inside = inPlace.flatMap((folder) => relativeTo(base, folder) ?? []);
        return inside.length === 0 ? [] : matchersIn(place).map(({ below }) => below(inside));
      });
      const above = folders.filter((_, index) =>
        bases.some((base) => relativeTo(inPlace[index] ?? '', base) !== undefined),
      );
      return (name) => {
        if (name === '') return folders.some((folder) => matches(folder, place));
        const rest = fold(name, place);
        return (
          runs.some((run) => run(rest)) ||
          above.some((folder) => matches(`${folder}/${name}`, place))
        );
      };
    },
    namesBelow: (directory, place) => {
      const found = anchorsOf(anchor, place, isGenerous).flatMap((base) => {
        const names = namesBetween(fold(directory, place), fold(base, place), fold(full, place));
        return names === undefined ? [] : [names];
      });
      return found.length === 0 ? undefined : found.flat();
    },
  };
}

function namesBetween(
  directory: string,
  base: string,
  pattern: string,
): readonly string[] | undefined {
  const names = [...split(base), ...split(pattern)];
  const fixed = split(base).length;
  for (const [index, segment] of split(directory).entries()) {
    const name = names[index];
    if (name === undefined) return undefined;
    if (index >= fixed && /[*?[]/.test(name)) return names.slice(index);
    if (name !== segment) return undefined;
  }
  return names.slice(split(directory).length);
}

function split(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

type Anchor = 'root' | 'home' | 'project' | 'relative';

function splitAnchor(text: string): { readonly anchor: Anchor; readonly body: string } {
  if (text.startsWith('//')) return { anchor: 'root', body: clean(text.slice(2)) };
  if (text === '~') return { anchor: 'home', body: '**' };
  if (text.startsWith('~/')) return { anchor: 'home', body: clean(text.slice(2)) };
  if (text.startsWith('/')) return { anchor: 'project', body: clean(text.slice(1)) };
  return { anchor: 'relative', body: clean(text.replace(/^\.\/+/, '')) };
}

/** `a/./b//c/../d` is `a/b/d`; a leading `..` stays and so matches nothing below the anchor. */
function clean(body: string): string {
  const segments: string[] = [];
  for (const segment of body.split('/')) {
    if (segment === '.' || segment === '') continue;
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else segments.push(segment);
  }
  const isDirectory = body.endsWith('/') && segments.length > 0;
  return segments.length === 0 ? '**' : segments.join('/') + (isDirectory ? '/' : '');
}

function anchorsOf(anchor: Anchor, place: Place, isGenerous: boolean): readonly string[] {
  const { outerRoots = [] } = place;
  const outer = isGenerous ? outerRoots.flatMap((root) => spellingsOf(root, place)) : [];
  switch (anchor) {
    case 'root':
      return ['/'];
    case 'home':
      return spellingsOf(place.home, place);
    case 'project':
      return [...spellingsOf(place.projectRoot, place), ...outer];
    case 'relative': {
      const start = spellingsOf(place.projectRoot, place);
      return isGenerous && place.cwd !== place.projectRoot
        ? [...start, ...outer, ...spellingsOf(place.cwd, place)]
        : [...start, ...outer];
    }
    default:
      return anchor satisfies never;
  }
}
