import type {
  PermissionDecision,
  PermissionDecisionReason,
  PermissionDenyDecision,
} from '../core/decision-types.js';
import type { PermissionUpdate, ToolPermissionContext } from '../core/permission-types.js';
import { compiledRules } from './rules/compiled-rules.js';
import type { ToolFacts } from './facts/facts.js';
import { judgeUse } from './judges/judge-use.js';
import { modeInForce } from './modes/modes.js';
import { mayApprove, type Proposal } from './proposal.js';
import { findPossibleFileRule } from './matching/possible-file-rule.js';
import { describeRule } from './rules/rule.js';
import { usefulSuggestions } from './useful-suggestions.js';
import type { Verdict } from './judges/verdict.js';
import { whyBlocked } from './web/why-blocked.js';
import { findRuleForUnknown, findStrictRule, type RuleMatch } from './matching/rule-match.js';

/**
 * Decide on one tool call. The order makes it safe: rules that deny are final; rules that ask and safety checks come
 * before anything that allows, in every mode. Synchronous, pure, never throws; every decision carries its reason.
 *
 * @param proposal the proposal of hooks or of the classifier: a denial is final, an ask comes before anything that
 * allows, and an approval counts only if the call would otherwise ask.
 */
export function decide(
  facts: ToolFacts,
  context: ToolPermissionContext,
  proposal?: Proposal,
): PermissionDecision {
  const { ownCheck, toolName } = facts;
  const rules = compiledRules(context);
  const denied = findStrictRule(rules.deny, facts);
  if (denied !== undefined) return denyByRule(denied, facts);
  if (facts.target?.kind === 'web') {
    const blocked = whyBlocked(facts.target.request, toolName, rules.allow);
    if (blocked !== undefined)
      return deny(`Permission to use ${toolName} was denied: ${blocked.message}`, blocked.reason);
  }
  if (ownCheck.behavior === 'deny') return ownCheck;
  if (proposal?.behavior === 'deny') return denyByProposal(proposal, facts);

  const approves = (why: PermissionDecisionReason | undefined): boolean =>
    proposal?.behavior === 'allow' && mayApprove(proposal, why, facts);
  const forced = whyForced(facts, context);
  if (forced !== undefined && !approves(forced.reason)) return settle(forced, facts, context);
  if (proposal?.behavior === 'ask') return settle(askOf(proposal, facts), facts, context);

  if (context.mode === 'bypassPermissions' && context.isBypassPermissionsModeAvailable) {
    return allow(facts, { type: 'mode', mode: 'bypassPermissions' });
  }
  const verdict = outsideSandbox(judgeUse(facts, context), facts);
  if (verdict.behavior === 'allow') return allow(facts, verdict.reason);
  if (isAcceptedInAuto(facts, context)) return allow(facts, { type: 'mode', mode: 'auto' });
  const isOpen = context.mode !== 'plan' || facts.isReadOnly || facts.requiresUserInteraction;
  if (proposal !== undefined && isOpen && approves(verdict.reason))
    return allow(facts, proposal.reason);
  const { message, ...ask } = verdict;
  return settle({ ...ask, message: `${toolName}: ${message}` }, facts, context);
}

type Ask = {
  readonly message: string;
  readonly reason: PermissionDecisionReason;
  readonly suggestions?: readonly PermissionUpdate[];
  readonly blockedPath?: string;
  /** A rule or a safety check asks in every mode. */
  readonly isForced?: true;
};

/** Outside the sandbox only rules allow a command, neither its read-only effect nor the mode. */
function outsideSandbox(verdict: Verdict, { leavesSandbox, target }: ToolFacts): Verdict {
  if (leavesSandbox === undefined) return verdict;
  const reason = { type: 'sandboxOverride', reason: leavesSandbox } as const;
  if (verdict.behavior === 'ask') {
    return { ...verdict, message: `${verdict.message} It would run outside the sandbox.`, reason };
  }
  if (isByRules(verdict.reason)) return verdict;
  const command = target?.kind === 'shell' ? ` "${target.analysis.command}"` : '';
  return {
    behavior: 'ask',
    message: `No rule allows running${command} outside the sandbox.`,
    reason,
  };
}

function isByRules(reason: PermissionDecisionReason | undefined): boolean {
  if (reason?.type !== 'subcommandResults') return reason?.type === 'rule';
  return Object.values(reason.reasons).every(
    (result) => 'decisionReason' in result && isByRules(result.decisionReason),
  );
}

/** In `auto` the classifier need not decide on calls that `acceptEdits` accepts. */
function isAcceptedInAuto(facts: ToolFacts, context: ToolPermissionContext): boolean {
  if (context.mode !== 'auto' || modeInForce(context) !== 'auto') return false;
  const accepted = judgeUse(facts, { ...context, mode: 'acceptEdits' });
  return outsideSandbox(accepted, facts).behavior === 'allow';
}

function askOf({ reason, message }: Proposal, { toolName }: ToolFacts): Ask {
  const said = message === undefined || message === '' ? '.' : `: ${message}`;
  return {
    message: `${toolName}: ${nameOf(reason)} asks for approval${said}`,
    reason,
    isForced: true,
  };
}

function denyByProposal(
  { reason, message }: Proposal,
  { toolName }: ToolFacts,
): PermissionDenyDecision {
  const said = message === undefined || message === '' ? '.' : `: ${message}`;
  return deny(`Permission to use ${toolName} was denied by ${nameOf(reason)}${said}`, reason);
}

function nameOf(reason: Proposal['reason']): string {
  return reason.type === 'hook'
    ? `the hook ${reason.hookName}`
    : `the classifier ${reason.classifier}`;
}

/** Rules that ask, then safety checks. Nothing that allows comes before them. */
function whyForced(facts: ToolFacts, context: ToolPermissionContext): Ask | undefined {
  const { ownCheck, target, toolName } = facts;
  const rules = compiledRules(context);
  const asked = findStrictRule(rules.ask, facts);
  if (asked !== undefined) {
    const message = `${toolName}: the rule ${describeRule(asked.rule)} asks for it${matchedText(asked)}.`;
    return { message, reason: { type: 'rule', rule: asked.rule }, isForced: true };
  }
  if (target?.kind === 'shell') {
    const { analysis } = target;
    const hidden =
      findPossibleFileRule(rules.deny, analysis, facts.place) ??
      (analysis.overlongTexts && findRuleForUnknown(rules.deny, analysis, facts));
    if (hidden !== undefined) {
      const may = hidden.value.toolName === 'Edit' ? 'change' : 'read';
      const does = analysis.overlongTexts === undefined ? may : 'do';
      const message = `${toolName}: the command may ${does} what the rule ${describeRule(hidden)} denies.`;
      return { message, reason: { type: 'rule', rule: hidden }, isForced: true };
    }
    const removal = target.analysis.criticalRemoval;
    if (removal !== undefined) {
      const reason = `"${removal}" removes a directory that nothing can bring back`;
      return {
        message: `${toolName}: ${reason}.`,
        reason: { type: 'safetyCheck', reason, classifierApprovable: false },
        isForced: true,
      };
    }
  }
  if (facts.leavesSandbox === 'dangerouslyDisableSandbox') {
    return {
      message: `${toolName}: it would run outside the sandbox.`,
      reason: { type: 'sandboxOverride', reason: 'dangerouslyDisableSandbox' },
      isForced: true,
    };
  }
  if (ownCheck.behavior !== 'ask') return undefined;
  const isForced = facts.requiresUserInteraction || ownCheck.decisionReason?.type === 'safetyCheck';
  if (!isForced) return undefined;
  const { message, suggestions, decisionReason, blockedPath } = ownCheck;
  return {
    message,
    reason: decisionReason ?? { type: 'other', reason: 'only a person can answer it' },
    isForced,
    ...(suggestions === undefined ? {} : { suggestions }),
    ...(blockedPath === undefined ? {} : { blockedPath }),
  };
}

/** An ask, or its replacement if nobody can be asked. */
function settle(ask: Ask, facts: ToolFacts, context: ToolPermissionContext): PermissionDecision {
  const { toolName, ownCheck } = facts;
  const mayAsk =
    context.mode !== 'plan' ||
    (ask.isForced === true && (facts.requiresUserInteraction || readsOnly(facts, context)));
  if (!mayAsk) {
    return deny(
      `Permission to use ${toolName} was denied: in plan mode only what reads may run, until the plan is approved.`,
      { type: 'mode', mode: 'plan' },
    );
  }
  if (context.mode === 'dontAsk') {
    return deny(
      `Permission to use ${toolName} was denied: nobody is asked in the mode dontAsk. ${ask.message}`,
      ask.isForced === true ? ask.reason : { type: 'mode', mode: 'dontAsk' },
    );
  }
  const isLeftToClassifier = modeInForce(context) === 'auto' && ask.isForced !== true;
  if (context.shouldAvoidPermissionPrompts === true && !isLeftToClassifier) {
    return deny(
      `Permission to use ${toolName} was denied: it needs a person's approval, and nobody can be asked here. ${ask.message}`,
      { type: 'asyncAgent', reason: 'nobody can be asked' },
    );
  }
  const { message, reason, blockedPath, isForced, suggestions: all = [] } = ask;
  const suggestions = isForced === true ? all : usefulSuggestions(all, facts, context);
  return {
    behavior: 'ask',
    message,
    decisionReason: reason,
    ...(suggestions.length === 0 ? {} : { suggestions }),
    ...(blockedPath === undefined ? {} : { blockedPath }),
    ...(ownCheck.behavior !== 'ask' || ownCheck.metadata === undefined
      ? {}
      : { metadata: ownCheck.metadata }),
  };
}

/** Whether plan mode by itself would allow the call. */
function readsOnly(facts: ToolFacts, context: ToolPermissionContext): boolean {
  return judgeUse(facts, { ...context, mode: 'plan' }).behavior === 'allow';
}

function denyByRule(match: RuleMatch, { toolName }: ToolFacts): PermissionDenyDecision {
  return deny(
    `Permission to use ${toolName} was denied by the rule ${describeRule(match.rule)}${matchedText(match)}.`,
    { type: 'rule', rule: match.rule },
  );
}

function matchedText({ matched }: RuleMatch): string {
  if (matched === undefined) return '';
  return `, which matches "${matched.length > 200 ? `${matched.slice(0, 200)}…` : matched}"`;
}

function deny(message: string, decisionReason: PermissionDecisionReason): PermissionDenyDecision {
  return { behavior: 'deny', message, decisionReason };
}

/** The tool's own check may add to its approval. An input that it rewrites is judged anew. */
function allow(
  { ownCheck }: ToolFacts,
  decisionReason: PermissionDecisionReason,
): PermissionDecision {
  if (ownCheck.behavior !== 'allow') return { behavior: 'allow', decisionReason };
  const { updatedInput: _rewritten, ...rest } = ownCheck;
  return { ...rest, decisionReason };
}
