/** A budget of how many agents there may be leaves no room for one more. */
export type BudgetRefusal = {
  /** The agent that has the budget. */
  readonly account: string;
  readonly unit: 'depth' | 'agents';
  readonly cap: number;
  /** Levels that there are down to whoever asks; or agents that are alive. */
  readonly used: number;
};

/** In words for whoever asked. */
export function describeRefusal({ account, unit, cap, used }: BudgetRefusal): string {
  if (cap === 0) return `the budget of ${account} allows no agent below it: do it yourself`;
  switch (unit) {
    case 'depth':
      return `the budget of ${account} allows agents ${cap} deep below it, and this one would be deeper: do it yourself`;
    case 'agents':
      return `the budget of ${account} allows ${cap} agents at once below it, and ${used} are alive: wait until one has ended`;
  }
  return unit satisfies never;
}
