import { matchesWildcard } from '../wildcard.js';

/**
 * The content of a rule for shell commands. Without `*` the text must be equal; `*` matches any run of characters. A
 * blank and `*` at the end, or `:*`, also match the end of the command: `ls *` is `ls` and `ls -la`, never `lsof`.
 */
export function matchesCommandPattern(pattern: string, command: string): boolean {
  const prefix = /^(.*)(?: |:)\*$/s.exec(pattern)?.[1];
  if (prefix === undefined) return matchesWildcard(pattern, command);
  return matchesWildcard(prefix, command) || matchesBehind(prefix, command);
}

function matchesBehind(prefix: string, command: string): boolean {
  return [' ', '\t', '\n'].some((blank) => matchesWildcard(`${prefix}${blank}*`, command));
}
