import { totalTokens } from '../core/tasks/usage.js';
import { addCost, costOfAgent, NO_COST, type Cost, type CostOf } from './select-tree.js';
import type { AgentView } from './agent-view.js';
import type { ViewState } from './view-state.js';

/** Model requests, tokens and cost. */
export type Use = Cost & { readonly requests: number };

/** The use of a session by agent and by model, the largest first. */
export function selectUsage(
  { agents }: ViewState,
  costOf: CostOf,
): {
  readonly byAgent: readonly (Use & { readonly agent: AgentView })[];
  readonly byModel: readonly (Use & { readonly model: string })[];
  readonly total: Use;
} {
  const byModel = new Map<string, Use>();
  for (const { requests, unfinished } of agents.values())
    for (const call of [...requests, ...unfinished.values()]) {
      const known = byModel.get(call.model) ?? NO_USE;
      const one = { usage: call.usage, usd: costOf(call) };
      byModel.set(call.model, { ...addCost(known, one), requests: known.requests + 1 });
    }
  const models = [...byModel].map(([model, use]) => ({ model, ...use }));
  const named = [...agents.values()]
    .filter(({ requests, unfinished }) => requests.length + unfinished.size > 0)
    .map((agent) => {
      const requests = agent.requests.length + agent.unfinished.size;
      return { agent, ...costOfAgent(agent, costOf), requests };
    });
  return {
    byAgent: named.toSorted(byTokens),
    byModel: models.toSorted(byTokens),
    total: {
      ...models.reduce<Cost>(addCost, NO_COST),
      requests: models.reduce((sum, { requests }) => sum + requests, 0),
    },
  };
}

const NO_USE: Use = { ...NO_COST, requests: 0 };

function byTokens(a: Cost, b: Cost): number {
  return totalTokens(b.usage) - totalTokens(a.usage);
}
