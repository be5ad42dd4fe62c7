import type { BudgetState } from '../../usage/budget.js';
import type { UsageTotal } from '../../usage/usage-account.js';

/** What a task has used, and may. */
export type TaskUsage = {
  /** With all that was ever below it. */
  readonly total: UsageTotal;
  /** Its own agent alone. */
  readonly own: UsageTotal;
  /** `total` by model, in the order of first use. */
  readonly byModel: ReadonlyMap<string, UsageTotal>;
  /** Absent where it has no budget of its own; one above it limits it all the same. */
  readonly budget?: BudgetState;
};
