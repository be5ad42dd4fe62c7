import { totalTokens } from '../core/tasks/usage.js';
import type { AgentView } from './agent-view.js';
import { addCost, NO_COST, type Cost, type CostOf, type Use } from './cost.js';
import { costOfAgent } from './select-tree.js';
import type { ViewState } from './view-state.js';

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
  const named: (Use & { readonly agent: AgentView })[] = [];
  for (const agent of agents.values()) {
    const uses = usesOf(agent, costOf);
    for (const [model, use] of uses) byModel.set(model, addUse(byModel.get(model), use));
    const requests = uses.reduce((sum, [, use]) => sum + use.requests, 0);
    if (requests > 0) named.push({ agent, ...costOfAgent(agent, costOf), requests });
  }
  const models = [...byModel].map(([model, use]) => ({ model, ...use }));
  return {
    byAgent: named.toSorted(byTokens),
    byModel: models.toSorted(byTokens),
    total: {
      ...models.reduce<Cost>(addCost, NO_COST),
      requests: models.reduce((sum, { requests }) => sum + requests, 0),
    },
  };
}

/** The use of an agent by model; a model may come more than once. */
function usesOf(
  { requests, unfinished, summed }: AgentView,
  costOf: CostOf,
): readonly (readonly [string, Use])[] {
  const single = [...requests, ...unfinished.values()].map(
    (call) => [call.model, { usage: call.usage, usd: costOf(call), requests: 1 }] as const,
  );
  return [...summed, ...single];
}

function addUse(a: Use | undefined, b: Use): Use {
  return a === undefined ? b : { ...addCost(a, b), requests: a.requests + b.requests };
}

function byTokens(a: Cost, b: Cost): number {
  return totalTokens(b.usage) - totalTokens(a.usage);
}
