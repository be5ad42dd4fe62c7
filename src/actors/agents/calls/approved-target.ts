import type { PermissionDecision } from '../../../core/decision-types.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import type { ToolFacts } from '../../../permissions/facts/facts.js';
import { safeguardedCommand } from '../../../permissions/matching/safeguarded-command.js';
import type { ToolUseFiles, ToolUsePermissions } from '../../../tools/tool-context-groups.js';

/** The part of a permission that a tool sees. Fields without a value are absent. */
export type Approval = Pick<ToolUseFiles, 'approvedPaths'> &
  Pick<ToolUsePermissions, 'safeguardedCommand'>;

/** @param decision the decision of the rules; absent if an earlier decision holds. */
export function approvalOf(
  facts: ToolFacts,
  context: ToolPermissionContext,
  decision: PermissionDecision | undefined,
): Approval {
  const approvedPaths = realPathsOf(facts);
  const runsAs = decision && safeguardedCommand(facts, context, decision);
  return {
    ...(approvedPaths !== undefined && { approvedPaths }),
    ...(runsAs !== undefined && { safeguardedCommand: runsAs }),
  };
}

/** The real paths of a tool call. A path that cannot be followed is dropped. */
function realPathsOf({ target }: ToolFacts): readonly string[] | undefined {
  if (target?.kind !== 'paths') return undefined;
  return target.paths.flatMap(({ resolved }) => (resolved === undefined ? [] : [resolved]));
}

/** Whether the links on the way still have the targets that they had when the request was made. */
export function touchesTheSame(asked: ToolFacts, now: ToolFacts): boolean {
  return whereTo(asked) === whereTo(now);
}

/** Addresses of a host may change at any time; they were judged anew, so only the host counts. */
function whereTo({ target }: ToolFacts): string {
  return JSON.stringify(target?.kind === 'web' ? target.request.url : target);
}
