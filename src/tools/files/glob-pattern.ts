import { isAbsolute, join } from 'node:path';

/**
 * A glob taken apart: the folder that its first, literal segments name, and how ripgrep finds the rest below it.
 * Nothing outside that folder can match.
 */
export type GlobPlan = { readonly base: string; readonly args: readonly string[] };

/**
 * A glob given to ripgrep overrules ignore files for all that it matches. A last segment that folders may match too
 * (`*` matches `node_modules`) is therefore looked for as a type of file; one with a dot inside is not, for a glob is
 * faster.
 *
 * @param start where the pattern begins; an absolute pattern begins at the root.
 * @returns a message where the pattern cannot be used.
 */
export function planGlob(start: string, pattern: string): GlobPlan | string {
  const segments = splitSegments(pattern).filter((segment) => segment !== '' && segment !== '.');
  let base = isAbsolute(pattern) ? '/' : start;
  let literal = 0;
  while (literal < segments.length - 1 && isLiteral(segments[literal] ?? '')) {
    base = join(base, segments[literal] ?? '');
    literal += 1;
  }
  const rest = segments.slice(literal).filter((segment, index, all) => {
    return segment !== '**' || all[index - 1] !== '**'; // many in a row match what one does
  });
  const last = rest.at(-1);
  if (last === undefined) return 'the pattern names no file. Use "**/*" for all files.';
  if (rest.includes('..'))
    return '".." is only allowed at the start of a pattern. Give the folder as path.';
  if (rest.length === 1 && last === '**') return { base, args: [] };
  const isFlat = !rest.some((segment) => /\*\*|\//.test(segment));
  const depth = isFlat ? [`--max-depth=${rest.length}`] : [];
  const isAnywhere = rest.length === 2 && rest[0] === '**';
  // Not as a type: a name with a colon, at which ripgrep takes the definition of a type apart.
  if ((rest.length > 1 && !isAnywhere) || /[:/]|.\../.test(last)) {
    return { base, args: [...depth, `--glob=/${rest.join('/')}`] };
  }
  return {
    base,
    args: last === '*' ? depth : [...depth, `--type-add=wanted:${last}`, '--type=wanted'],
  };
}

function isLiteral(segment: string): boolean {
  return !/[*?[\]{}\\!]/.test(segment);
}

/** At slashes that stand in no braces or brackets. */
function splitSegments(pattern: string): readonly string[] {
  const segments: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth = Math.max(0, depth - 1);
    else if (character === '/' && depth === 0) {
      segments.push(pattern.slice(start, at));
      start = at + 1;
    }
  }
  return [...segments, pattern.slice(start)];
}
