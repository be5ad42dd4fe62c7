import { TroupeError } from '../core/errors.js';

/** Units of a budget for model requests: dollars, tokens, or requests. */
export type CallUnit = 'usd' | 'tokens' | 'turns';

/** Units whose end is the end of an agent. */
export type BudgetUnit = CallUnit | 'seconds';

/** A budget that was reached. Amounts are in its unit. */
export type BudgetReached = {
  /** The agent that has the budget, which counts everything below the agent. */
  readonly account: string;
  /** Unit of the budget: US dollars, tokens, model requests or seconds. */
  readonly unit: BudgetUnit;
  /** Limit of the budget. */
  readonly cap: number;
  /** Use when the limit was reached. */
  readonly used: number;
  /** The most that the refused request might have used; 0 for time. */
  readonly needed: number;
};

/** The next model request might have passed a budget, or the time was up. The request was not made. */
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
        : ` and the next model request may use ${amount(needed, unit)} more`;
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
      return value === 1 ? '1 model request' : `${value} model requests`;
    case 'seconds':
      return value === 1 ? '1 second' : `${value} seconds`;
  }
  return unit satisfies never;
}
