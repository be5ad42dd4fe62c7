import { UsageError } from '../../api/errors.js';
import { nearestName, quoted } from '../../api/text.js';
import {
  findRuleProblem,
  formatRule,
  parseRule,
  parseRuleList,
} from '../../api/permissions/permissions.js';
import type { RuleArguments } from '../arguments/run-arguments.js';

/** A tool whose name differs more may belong to another version of Claude Code: the run only reports its rule. */
const MOST_EDITS = 1;

/**
 * Refuse rules of the command line whose tool is misspelt: such a rule protects nothing, or a run lacks an approval.
 * In settings, which other programs read too, such a rule is only a warning.
 *
 * @throws UsageError before anything runs
 */
export async function checkRuleFlags({
  allowedTools,
  disallowedTools,
}: Pick<RuleArguments, 'allowedTools' | 'disallowedTools'>): Promise<void> {
  if (allowedTools.length + disallowedTools.length === 0) return;
  const { toolNames } = await import('../../api/tools/tools.js'); // all tools: a run has them loaded
  const tools = toolNames();
  const check = (flag: string, values: readonly string[], behavior: 'allow' | 'deny'): void => {
    for (const text of values.flatMap((value) => parseRuleList(value, flag))) {
      const rule = parseRule(text);
      if (!rule.ok) continue; // the reader of the list reports it
      const { toolName } = rule.value;
      const { meantTool } = findRuleProblem({ behavior, value: rule.value }, { tools }) ?? {};
      const meant = meantTool && nearestName(toolName, tools, MOST_EDITS);
      if (meant === undefined) continue;
      const instead = formatRule({ ...rule.value, toolName: meant });
      const effect = behavior === 'allow' ? 'allows' : 'denies';
      throw new UsageError(
        `${flag}: the rule ${text} ${effect} nothing: there is no tool "${toolName}". Did you mean ${quoted(instead)}?`,
      );
    }
  };
  check('--allowedTools', allowedTools, 'allow');
  check('--disallowedTools', disallowedTools, 'deny');
}
