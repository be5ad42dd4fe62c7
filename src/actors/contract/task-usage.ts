import type { BudgetState } from '../../usage/budget.js';
import type { UsageTotal } from '../../usage/usage-account.js';

/** Tokens and cost of a task, and its budget. */
export type TaskUsage = {
  /** Usage of the task and everything that was ever below it. */
  readonly total: UsageTotal;
  /** The agent of the task alone, without everything below it. */
  readonly own: UsageTotal;
  /** `total` by model, in the order of first use. */
  readonly byModel: ReadonlyMap<string, UsageTotal>;
  /** Budget of this task; absent if only a budget above limits it. */
  readonly budget?: BudgetState;
};
