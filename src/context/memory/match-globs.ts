import { compileMatcher } from '../../permissions/paths/path-matcher.js';

/** Most patterns that braces make of one. */
const MOST_PATTERNS = 1_000;

/**
 * Match relative paths by globs: `*` and `?` within a name, `**` across folders, sets `[ab]`, alternatives `{a,b}`. A
 * folder stands for everything below it.
 */
export function matchGlobs(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs
    .flatMap((glob) => expandBraces(glob.replace(/^(?:\.\/)+/, '').replace(/\/$/, '/**')))
    .flatMap((glob) => compileMatcher(glob, { readsSets: true }) ?? []);
  return (path) => matchers.some(({ matches }) => matches(path));
}

/** `a{b,c}` is `ab` and `ac`. A pattern with too many alternatives is taken literally. */
function expandBraces(glob: string): readonly string[] {
  let made: readonly string[] = [''];
  for (const part of glob.split(/(\{[^{}]*,[^{}]*\})/)) {
    const choices = /^\{.*,.*\}$/.test(part) ? part.slice(1, -1).split(',') : [part];
    made = made.flatMap((before) => choices.map((choice) => before + choice));
    if (made.length > MOST_PATTERNS) return [glob];
  }
  return made;
}
