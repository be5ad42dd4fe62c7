import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { PermissionMode, PermissionUpdate } from '../../core/permission-types.js';
import { findRuleProblem, type KnownNames } from '../../permissions/rules/rule-problems.js';
import { formatRule } from '../../permissions/rules/rule.js';
import { checkOptions } from '../../tools/calls/check-options.js';

const PLACE = 'session.updatePermissions';
const Updates = z.object({ updates: z.array(PermissionUpdate) });

/** @throws UsageError for an invalid update of permissions, and for a rule without effect */
export function checkUpdates(updates: readonly PermissionUpdate[], known: KnownNames): void {
  checkOptions(Updates, { updates }, PLACE);
  for (const [index, update] of updates.entries()) {
    if (update.type !== 'addRules' && update.type !== 'replaceRules') continue;
    for (const value of update.rules) {
      const found = findRuleProblem({ behavior: update.behavior, value }, known);
      if (found !== undefined)
        throw new UsageError(
          `${PLACE}: updates[${index}]: the rule ${formatRule(value)} ${found.problem}`,
        );
    }
  }
}

const Mode = z.object({ mode: PermissionMode });

/** @throws UsageError for an unknown mode */
export function checkMode(mode: PermissionMode): void {
  checkOptions(Mode, { mode }, 'session.setPermissionMode');
}
