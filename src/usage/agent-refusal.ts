/** A budget of agents has no room for another agent. */
export type AgentRefusal = {
  /** The agent that has the budget. */
  readonly account: string;
  readonly unit: 'depth' | 'agents';
  readonly cap: number;
  /** Levels down to the parent; or agents that are alive. */
  readonly used: number;
};

/** A message for the parent. */
export function describeRefusal({ account, unit, cap, used }: AgentRefusal): string {
  if (cap === 0) return `the budget of ${account} allows no agent below it: do it yourself`;
  switch (unit) {
    case 'depth':
      return `the budget of ${account} allows agents at most ${levels(cap)} below it, and this one would be deeper: do it yourself`;
    case 'agents':
      return `the budget of ${account} allows ${cap} agents at once below it, and ${used} are alive: wait until one has ended`;
  }
  return unit satisfies never;
}

const levels = (count: number): string => (count === 1 ? '1 level' : `${count} levels`);
