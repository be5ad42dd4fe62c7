import { matchesWildcard, wildcardsMeet } from '../wildcard.js';

/**
 * The content of a rule for shell commands. Without `*` the text must be equal; `*` matches any run of characters. A
 * blank and `*` at the end, or `:*`, also match the end of the command: `ls *` is `ls` and `ls -la`, never `lsof`.
 */
export function matchesCommandPattern(pattern: string, command: string): boolean {
  const prefix = prefixOf(pattern);
  if (prefix === undefined) return matchesWildcard(pattern, command);
  if (prefix.includes('*'))
    return wildcardsOf(pattern).some((wildcard) => matchesWildcard(wildcard, command));
  const next = command[prefix.length];
  const endsName = next === undefined || next === ' ' || next === '\t' || next === '\n';
  return endsName && command.startsWith(prefix);
}

/** Whether the content of a rule matches something that a command may be, in which `*` stands for what is not known. */
export function mayMatchCommandPattern(pattern: string, possible: string): boolean {
  return wildcardsOf(pattern).some((wildcard) => wildcardsMeet(wildcard, possible));
}

function wildcardsOf(pattern: string): readonly string[] {
  const prefix = prefixOf(pattern);
  if (prefix === undefined) return [pattern];
  return [prefix, ...[' ', '\t', '\n'].map((blank) => `${prefix}${blank}*`)];
}

/** What stands before a blank or a colon and the `*` at the end. */
function prefixOf(pattern: string): string | undefined {
  return pattern.endsWith(' *') || pattern.endsWith(':*') ? pattern.slice(0, -2) : undefined;
}
