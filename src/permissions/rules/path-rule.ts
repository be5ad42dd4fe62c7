import { formatRule, parseRule } from './rule.js';

/** Tools that touch files, with the tool whose path rules decide instead. */
export const RULED_AS: ReadonlyMap<string, string> = new Map([
  ['Write', 'Edit'],
  ['MultiEdit', 'Edit'],
  ['NotebookEdit', 'Edit'],
  ['Grep', 'Read'],
  ['Glob', 'Read'],
  ['LSP', 'Read'],
]);

/** The rule that looks the path up, for a rule such as `Write(.env*)` of the tool itself. */
export function toPathRule(rule: string, toolName: string): string {
  const ruled = RULED_AS.get(toolName);
  const parsed = ruled === undefined ? undefined : parseRule(rule);
  if (ruled === undefined || parsed?.ok !== true || parsed.value.toolName !== toolName) return rule;
  return formatRule({ ...parsed.value, toolName: ruled });
}
