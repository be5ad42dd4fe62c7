import type { PermissionDecision } from '../../core/decision-types.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import { compiledRules } from '../rules/compiled-rules.js';
import type { ToolFacts } from '../facts/facts.js';
import { findCommandRule, rulesFor } from './rule-match.js';
import { withSafeguards } from '../shell/effects/safeguard.js';

/**
 * The command line to run instead of the allowed one: each command that no rule allows gets its safeguard. Undefined if
 * the line runs as written, also because a hook, a classifier or the mode `bypassPermissions` allowed it.
 *
 * @param decision the result of {@link decide} for these facts in this context.
 */
export function safeguardedCommand(
  facts: ToolFacts,
  context: ToolPermissionContext,
  decision: PermissionDecision,
): string | undefined {
  if (decision.behavior !== 'allow' || facts.target?.kind !== 'shell') return undefined;
  if (isAllowedAsAWhole(decision.decisionReason)) return undefined;
  const { command, commands } = facts.target.analysis;
  const allow = rulesFor(facts, compiledRules(context).allow);
  const safeguards = commands.flatMap((one) =>
    one.safeguard === undefined ||
    (one.safeguard.git !== undefined && facts.untrustedGit === undefined) ||
    findCommandRule(allow, one) !== undefined
      ? []
      : [one.safeguard],
  );
  return safeguards.length === 0 ? undefined : withSafeguards(command, safeguards);
}

function isAllowedAsAWhole(
  reason: Extract<PermissionDecision, { behavior: 'allow' }>['decisionReason'],
): boolean {
  switch (reason?.type) {
    case 'hook':
    case 'classifier':
      return true;
    case 'mode':
      return reason.mode === 'bypassPermissions';
    default:
      return false;
  }
}
