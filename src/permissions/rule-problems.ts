import { nearestName } from '../core/nearest-name.js';
import type { PermissionRule } from '../core/permission-types.js';
import { describeRule, formatRule } from './rule.js';
import { matchesToolName } from './tool-name.js';

type Rule = Pick<PermissionRule, 'behavior' | 'value'>;

/** Of the tools that touch files: those that rules name, and the one whose paths are judged instead. */
const RULED_AS: ReadonlyMap<string, string> = new Map([
  ['Write', 'Edit'],
  ['NotebookEdit', 'Edit'],
  ['Grep', 'Read'],
  ['Glob', 'Read'],
]);

/**
 * Rules that are well formed and do nothing, or not what they seem to say: one line for people on each. Tools of MCP
 * servers are not known beforehand, so their names are taken as they are.
 *
 * @param knownToolNames with the older names that rules may still use.
 */
export function findRuleProblems(
  rules: readonly PermissionRule[],
  knownToolNames: readonly string[],
): readonly string[] {
  const problems = rules.flatMap((rule) => {
    const problem = findRuleProblem(rule, knownToolNames);
    return problem === undefined ? [] : [`The rule ${describeRule(rule)} ${problem}`];
  });
  return [...new Set(problems)];
}

/** What follows the name of one rule there; undefined where nothing is wrong. */
export function findRuleProblem(rule: Rule, knownToolNames: readonly string[]): string | undefined {
  return (
    whyPathIsNotConsulted(rule) ??
    whyGlobIsIgnored(rule) ??
    whyNoToolMatches(rule, knownToolNames) ??
    whyBlanksCount(rule)
  );
}

function whyPathIsNotConsulted({ behavior, value }: Rule): string | undefined {
  const { toolName, ruleContent } = value;
  const governing = RULED_AS.get(toolName);
  if (governing === undefined || ruleContent === undefined) return undefined;
  if (ruleContent === '*' && behavior !== 'allow') return undefined; // the whole tool
  if (/^\w{2,}:/.test(ruleContent)) return undefined; // the value of a parameter
  const instead = formatRule({ toolName: governing, ruleContent });
  return `has no effect: paths are looked up in rules for Read and Edit only. Write ${instead}.`;
}

function whyGlobIsIgnored({ behavior, value: { toolName } }: Rule): string | undefined {
  if (behavior !== 'allow' || !toolName.includes('*')) return undefined;
  if (/^mcp__[^*]+__/.test(toolName)) return undefined;
  return 'allows nothing: a rule that allows names its tool in full, and "*" counts only behind "mcp__server__".';
}

function whyNoToolMatches(
  { behavior, value: { toolName } }: Rule,
  known: readonly string[],
): string | undefined {
  if (toolName.startsWith('mcp__')) return undefined;
  if (known.some((name) => matchesToolName(toolName, name, behavior))) return undefined;
  const nearest = nearestName(toolName, known);
  const hint =
    nearest === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${nearest}?`;
  const effect = { allow: 'allows nothing', deny: 'denies nothing', ask: 'asks for nothing' }[
    behavior
  ];
  return `${effect}: no tool is called "${toolName}". ${hint}`;
}

function whyBlanksCount({ value: { toolName, ruleContent } }: Rule): string | undefined {
  if (ruleContent === undefined || ruleContent === ruleContent.trim()) return undefined;
  const meant = formatRule({ toolName, ruleContent: ruleContent.trim() });
  return `starts or ends with a blank, which has to be matched too. Write ${meant}.`;
}
