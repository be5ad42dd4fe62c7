import type { PermissionDecision } from '../../../core/decision-types.js';
import type { ToolPermissionContext } from '../../../core/permission-types.js';
import type { ToolFacts } from '../../../permissions/facts.js';
import { safeguardedCommand } from '../../../permissions/safeguarded-command.js';
import type { ToolUseFiles, ToolUsePermissions } from '../../../tools/tool-context-groups.js';

/** What a tool learns of its permission; a part without a value is absent. */
export type Approval = Pick<ToolUseFiles, 'approvedPaths'> &
  Pick<ToolUsePermissions, 'safeguardedCommand'>;

/** @param decision what the rules say; absent if an earlier decision holds. */
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

/** Where the paths of a use really lead; a path that cannot be followed leads nowhere. */
function realPathsOf({ target }: ToolFacts): readonly string[] | undefined {
  if (target?.kind !== 'paths') return undefined;
  return target.paths.flatMap(({ resolved }) => (resolved === undefined ? [] : [resolved]));
}

/** Whether the links on the way still lead where they led when the question was asked. */
export function touchesTheSame(asked: ToolFacts, now: ToolFacts): boolean {
  return whereTo(asked) === whereTo(now);
}

/** The addresses of a host may change from one moment to the next; they were judged anew. */
function whereTo({ target }: ToolFacts): string {
  return JSON.stringify(target?.kind === 'web' ? target.request.url : target);
}
