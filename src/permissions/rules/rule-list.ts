import { UsageError } from '../../core/errors.js';
import { formatRule, parseRule } from './rule.js';

/**
 * Read the rules in the value of a list option, separated by commas or blanks outside parentheses.
 *
 * @throws UsageError that names the option and the rule that cannot be read.
 * @example
 * parseRuleList('Bash(git log *, other),Read', '--allowedTools') // ['Bash(git log *, other)', 'Read']
 */
export function parseRuleList(value: string, option: string): readonly string[] {
  if (option.startsWith('--') && COMMAND.test(value))
    throw new UsageError(
      `${option}: "${value}" is a command, not a tool. Write ${option} 'Bash(${value})'.`,
    );
  return splitRuleList(value, option).map((text) => {
    const parsed = parseRule(text);
    if (!parsed.ok) throw new UsageError(`${option}: ${parsed.message}`);
    return formatRule(parsed.value);
  });
}

/** Words like `npm test`: names of tools begin with a capital letter, or with `mcp__`. */
const COMMAND = /^(?!mcp__)[a-z][\w./-]*\s+[^(),]+$/;

function splitRuleList(value: string, option: string): readonly string[] {
  const items: string[] = [];
  let item = '';
  let depth = 0;
  for (const char of value) {
    if (depth === 0 && (char === ',' || /\s/.test(char))) {
      if (item !== '') items.push(item);
      item = '';
      continue;
    }
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (depth < 0) {
      throw new UsageError(`${option}: "${item})" closes a parenthesis that was not opened.`);
    }
    item += char;
  }
  if (depth > 0)
    throw new UsageError(`${option}: "${item}" opens a parenthesis and never closes it.`);
  if (item !== '') items.push(item);
  return items;
}
