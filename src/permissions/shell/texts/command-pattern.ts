import { matchesWildcard, wildcardsMeet } from '../../../core/text/wildcard.js';
import type { CommandTexts } from './command-texts.js';

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

/** The first of the commands that the content of a rule matches; undefined if it matches none of them. */
export function findCommandText(
  pattern: string,
  texts: readonly CommandTexts[],
): string | undefined {
  const star = pattern.indexOf('*');
  const prefix = prefixOf(pattern);
  const head =
    prefix?.includes('*') === false ? prefix : pattern.slice(0, star < 0 ? undefined : star);
  // a pattern without a match behind its head has no match behind a later head either
  const isHopeless = star >= 0 && head !== prefix;
  for (const { text, starts, areNamedByPatterns } of texts) {
    if (areNamedByPatterns === true) {
      const found = findNamedByPattern(pattern, text, starts);
      if (found !== undefined) return found;
      continue;
    }
    if (!text.includes(head)) continue;
    for (const start of starts) {
      if (!text.startsWith(head, start)) continue;
      const command = text.slice(start);
      if (matchesCommandPattern(pattern, command)) return command;
      if (isHopeless) break;
    }
  }
  return undefined;
}

/** The first command whose name may be the name of the rule's program. */
function findNamedByPattern(
  pattern: string,
  text: string,
  starts: readonly number[],
): string | undefined {
  const [program = ''] = (prefixOf(pattern) ?? pattern).split(/\s/, 1);
  const known = program.replace(/\*$/, '');
  if (known === '' || known.includes('*')) return undefined;
  const found = starts.find((start) => {
    const blank = text.indexOf(' ', start);
    const end = blank < 0 ? text.length : blank;
    const name = text.slice(start, end);
    if (/^\**$/.test(name) || !wildcardsMeet(program, name.replaceAll('?', '*'))) return false;
    return matchesCommandPattern(pattern, known + text.slice(end));
  });
  return found === undefined ? undefined : text.slice(found);
}

/** Whether the content of a rule matches a possible command, in which `*` is an unknown part. */
export function mayMatchCommandPattern(pattern: string, possible: string): boolean {
  return wildcardsOf(pattern).some((wildcard) => wildcardsMeet(wildcard, possible));
}

function wildcardsOf(pattern: string): readonly string[] {
  const prefix = prefixOf(pattern);
  if (prefix === undefined) return [pattern];
  return [prefix, ...[' ', '\t', '\n'].map((blank) => `${prefix}${blank}*`)];
}

/** The text before a blank or a colon and the `*` at the end. */
function prefixOf(pattern: string): string | undefined {
  return pattern.endsWith(' *') || pattern.endsWith(':*') ? pattern.slice(0, -2) : undefined;
}
