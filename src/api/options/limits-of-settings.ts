import type { OrchestratorOptions } from '../../actors/options/orchestrator-options.js';
import { given } from '../../core/json/given.js';
import type { lastOf } from './read-layers.js';

/** The limits of sessions, by the settings of all layers. */
export function limitsOf(
  {
    maxConcurrentAgents,
    persists,
  }: {
    readonly maxConcurrentAgents: number | undefined;
    readonly persists: boolean;
  },
  last: ReturnType<typeof lastOf>,
) {
  return {
    cleanupPeriodDays: last('cleanupPeriodDays'),
    skillListing: skillListingOf(last),
    autoCompact: last('autoCompactEnabled'),
    dreams: last('autoMemoryEnabled') === false ? undefined : last('autoDreamEnabled'),
    maxConcurrentAgents: maxConcurrentAgents ?? last('maxConcurrentAgents'),
    persists: persists ? undefined : false,
  };
}

function skillListingOf(last: ReturnType<typeof lastOf>): OrchestratorOptions['skillListing'] {
  const budgetFraction = last('skillListingBudgetFraction');
  const maxDescriptionChars = last('skillListingMaxDescChars');
  const isUsual = budgetFraction === undefined && maxDescriptionChars === undefined;
  return isUsual ? undefined : given({ budgetFraction, maxDescriptionChars });
}
