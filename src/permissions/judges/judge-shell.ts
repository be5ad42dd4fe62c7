import type { PermissionResult } from '../../core/decision-types.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import { compiledRules, type CompiledRule } from '../rules/compiled-rules.js';
import type { ToolFacts } from '../facts/facts.js';
import { askForGuarded, judgePath } from './judge-path.js';
import { findPossibleFileRule } from '../matching/possible-file-rule.js';
import { describeRule } from '../rules/rule.js';
import {
  findCommandRule,
  findRuleBehindParameters,
  findRuleForUnknown,
  findToolRule,
  rulesFor,
} from '../matching/rule-match.js';
import type { ShellPath } from '../paths/path-fact.js';
import { isInFolders, spreadOut } from '../paths/path-in-folders.js';
import type { ShellAnalysis, ShellCommand } from '../shell/effects/shell-analysis.js';
import { suggestCommand, suggestTogether } from './suggestions.js';
import { toAsk, type Verdict } from './verdict.js';

/**
 * Judge a command line. A rule for the whole tool trusts the shell as a whole; otherwise each command and each redirect
 * gets its own verdict. No rule allows changes of protected files, or of files that may be protected.
 */
export function judgeShell(
  analysis: ShellAnalysis,
  facts: ToolFacts,
  context: ToolPermissionContext,
): Verdict {
  const verdict = judgeWhole(analysis, facts, context) ?? judgeParts(analysis, facts, context);
  if (verdict.behavior === 'ask') return verdict;
  for (const path of spreadOut([...analysis.paths, ...analysis.otherPaths].filter(mayChange))) {
    const ask = askForGuarded(path, facts.place, context);
    if (ask !== undefined) return ask;
  }
  return verdict;
}

function mayChange(path: ShellPath): boolean {
  return path.access === 'write' || (!isInFolders(path) && path.hasOtherNames === true);
}

/**
 * The verdict of a rule for the whole tool; undefined if there is no such rule, or if it does not cover this command
 * line.
 */
function judgeWhole(
  analysis: ShellAnalysis,
  facts: ToolFacts,
  context: ToolPermissionContext,
): Verdict | undefined {
  const { allow, ask, deny } = compiledRules(context);
  const rule = context.mode === 'plan' ? undefined : findToolRule(allow, facts);
  if (rule === undefined || analysis.isOpaque === true) return undefined;
  const strict = [...deny, ...ask];
  const possible =
    findRuleForUnknown(strict, analysis, facts) ??
    findPossibleFileRule(ask, analysis, facts.place) ??
    analysis.commands
      .map((command) => findRuleBehindParameters(strict, facts, command))
      .find((found) => found !== undefined);
  if (possible === undefined) return { behavior: 'allow', reason: { type: 'rule', rule } };
  return {
    behavior: 'ask',
    message: `The rule ${describeRule(possible)} may be meant for this command.`,
    reason: { type: 'rule', rule: possible },
  };
}

function judgeParts(
  analysis: ShellAnalysis,
  facts: ToolFacts,
  context: ToolPermissionContext,
): Verdict {
  if (analysis.problem !== undefined) {
    const reason = `the command cannot be analysed: ${analysis.problem}`;
    const message = `The command cannot be checked: ${analysis.problem}.`;
    return { behavior: 'ask', message, reason: { type: 'other', reason } };
  }
  const hidden = findPossibleFileRule(compiledRules(context).ask, analysis, facts.place);
  if (hidden !== undefined) {
    const message = 'The command may use files that a rule asks for.';
    return { behavior: 'ask', message, reason: { type: 'rule', rule: hidden } };
  }
  const allow = context.mode === 'plan' ? [] : rulesFor(facts, compiledRules(context).allow);
  const verdicts = analysis.commands.map((command) => judgeCommand(command, facts, context, allow));
  const [only] = verdicts;
  if (only !== undefined && verdicts.length === 1) return only;
  const reasons: Record<string, PermissionResult> = Object.create(null) as Record<string, never>; // commands are keys, also `__proto__`
  verdicts.forEach((verdict, index) => {
    const text = analysis.commands[index]?.text ?? '';
    reasons[text] =
      verdict.behavior === 'allow'
        ? { behavior: 'allow', decisionReason: verdict.reason }
        : toAsk(verdict);
  });
  const reason = { type: 'subcommandResults', reasons: { ...reasons } } as const;
  const asks = verdicts.filter((verdict) => verdict.behavior === 'ask');
  if (asks.length === 0) return { behavior: 'allow', reason };
  return {
    behavior: 'ask',
    reason,
    message: [...new Set(asks.map(({ message }) => message))].join(' '),
    suggestions: suggestTogether(asks.map(({ suggestions = [] }) => suggestions)),
  };
}

function judgeCommand(
  command: ShellCommand,
  facts: ToolFacts,
  context: ToolPermissionContext,
  allow: readonly CompiledRule[],
): Verdict {
  const { text, alwaysAsks, possibleTexts } = command;
  if (alwaysAsks !== undefined) {
    const message = `"${text}": ${alwaysAsks}.`;
    return { behavior: 'ask', message, reason: { type: 'other', reason: alwaysAsks } };
  }
  if (possibleTexts !== undefined) {
    const { deny, ask } = compiledRules(context);
    const rule = findRuleBehindParameters([...deny, ...ask], facts, command);
    if (rule !== undefined) {
      const message = `The rule ${describeRule(rule)} may be meant for "${text}".`;
      return { behavior: 'ask', message, reason: { type: 'rule', rule } };
    }
  }
  const own = judgeProgram(command, facts, context, allow);
  const redirects = command.redirects.map((path) => judgePath(path, facts.place, context));
  return firstAsk([own, ...redirects]) ?? redirects.at(-1) ?? own;
}

/** The first verdict that asks, with suggestions for all that ask. */
function firstAsk(verdicts: readonly Verdict[]): Verdict | undefined {
  const asks = verdicts.filter((verdict) => verdict.behavior === 'ask');
  const [first] = asks;
  if (first === undefined) return undefined;
  const parts = asks.map(({ suggestions = [] }) => suggestions);
  return { ...first, suggestions: suggestTogether(parts) };
}

function judgeProgram(
  command: ShellCommand,
  facts: ToolFacts,
  context: ToolPermissionContext,
  allow: readonly CompiledRule[],
): Verdict {
  const { text, allowTexts, needsExactRule, effect, paths } = command;
  const rule = findCommandRule(allow, command);
  if (rule !== undefined) return { behavior: 'allow', reason: { type: 'rule', rule } };
  const problem = whyGitAsks(command, facts);
  if (effect === 'readOnly' && problem === undefined) {
    const files = paths.map((path) => judgePath(path, facts.place, context));
    const reason = { type: 'other', reason: 'it only reads' } as const;
    return firstAsk(files) ?? { behavior: 'allow', reason };
  }
  if (effect === 'edit' && context.mode === 'acceptEdits' && paths.length > 0) {
    const files = paths.map((path) => judgePath(path, facts.place, context));
    return firstAsk(files) ?? files[0]!; // never empty
  }
  return {
    behavior: 'ask',
    message: `No rule allows "${text}"${problem === undefined ? '' : `, and ${problem}`}.`,
    reason:
      problem === undefined
        ? { type: 'mode', mode: context.mode }
        : { type: 'other', reason: problem },
    suggestions: suggestCommand(facts.toolName, allowTexts, needsExactRule),
  };
}

/** Why read-only git needs approval: nothing of an untrusted repository runs without a prompt. */
function whyGitAsks({ safeguard }: ShellCommand, { untrustedGit }: ToolFacts): string | undefined {
  if (safeguard?.git === undefined || untrustedGit === undefined) return undefined;
  const { problem } = untrustedGit;
  if (problem !== undefined) return `this folder is not trusted: ${problem}`;
  return safeguard.git.visitsSubmodules
    ? 'this folder is not trusted: submodules have their own configuration'
    : undefined;
}
