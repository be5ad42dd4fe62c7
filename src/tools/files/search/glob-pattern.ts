import { isAbsolute, join } from 'node:path';

/**
 * A parsed glob: the folder of its first, literal segments, and the arguments by which ripgrep finds the rest below it.
 * Nothing outside that folder can match.
 */
export type GlobPlan = { readonly base: string; readonly args: readonly string[] };

/**
 * Plan a search. A glob given to ripgrep overrides ignore files for all matches. If folders may match the last segment
 * too (`*` matches `node_modules`), the segment is therefore a file type; a segment with a dot inside stays a glob,
 * which is faster.
 *
 * @param start the folder of the pattern; an absolute pattern starts at the root.
 * @returns a message if the pattern is invalid.
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
    return segment !== '**' || all[index - 1] !== '**'; // consecutive ones match the same as one
  });
  const last = rest.at(-1);
  if (last === undefined) return 'the pattern names no file. Use "**/*" for all files.';
  if (rest.includes('..'))
    return '".." is only allowed at the start of a pattern. Give the folder as path.';
  if (rest.length === 1 && last === '**') return { base, args: [] };
  const isFlat = !rest.some((segment) => /\*\*|\//.test(segment));
  const depth = isFlat ? [`--max-depth=${rest.length}`] : [];
  const isAnywhere = rest.length === 2 && rest[0] === '**';
  // These cannot be a file type: ripgrep splits the definition of a type at a colon.
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

/** Split at slashes outside of braces and brackets. */
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
