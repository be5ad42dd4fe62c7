import { TroupeError } from '../core/errors.js';

/** What a budget counts of model calls: money, tokens, or the calls themselves. */
export type CallUnit = 'usd' | 'tokens' | 'turns';

/** What ends an agent when it is used up. */
export type BudgetUnit = CallUnit | 'seconds';

/** A budget that was reached. Amounts are in its unit. */
export type BudgetReached = {
  /** The agent that has the budget: it counts all that is below it. */
  readonly account: string;
  /** Unit of the budget: US dollars, tokens, model requests or seconds. */
  readonly unit: BudgetUnit;
  /** Limit of the budget. */
  readonly cap: number;
  /** Use when the limit was reached. */
  readonly used: number;
  /** The most that the call which was not made might have used; of time, nothing. */
  readonly needed: number;
};

/** The next model call might have passed a budget: it was not made. Or the time was up. */
export class BudgetExceededError extends TroupeError {
  override readonly name = 'BudgetExceededError';
  readonly code = 'BUDGET_EXCEEDED';
  /** Which budget was reached, and whose. */
  readonly reached: BudgetReached;

  constructor(reached: BudgetReached) {
    const { account, unit, cap, used, needed } = reached;
    const why =
      unit === 'turns' || unit === 'seconds'
        ? ''
        : ` and the next model call may use ${amount(needed, unit)} more`;
    super(
      `Reached the budget of ${amount(cap, unit)} of ${account} and all below it: ${amount(used, unit)} ${used === 1 && unit !== 'usd' ? 'is' : 'are'} used${why}.`,
      { details: { ...reached } },
    );
    this.reached = reached;
  }
}

function amount(value: number, unit: BudgetUnit): string {
  switch (unit) {
    case 'usd':
      return `${Number(value.toFixed(6))} USD`;
    case 'tokens':
      return `${value} tokens`;
    case 'turns':
      return value === 1 ? '1 model call' : `${value} model calls`;
    case 'seconds':
      return value === 1 ? '1 second' : `${value} seconds`;
  }
  return unit satisfies never;
}
