import type { PastTask } from '../journal/entries/task-entries.js';
import { addCost, NO_COST, type CostOf } from './cost.js';
import type { Draft } from './agent-view.js';
import type { DecisionView } from './decision-view.js';

/** The part of a view that stays in memory: a session may run for days. The result is the same for all batches. */
export type Bound = {
  /** Most entries of an agent's conversation, and as many of its other lists. */
  readonly entries: number;
  /** Cost of the model requests that are only kept as a sum. */
  readonly costOf: CostOf;
};

/** Most ended tasks without an agent, and most decided calls, as a multiple of the entries. */
const TIMES_ENTRIES = 10;

/** Drop the oldest entries of an agent with their ended calls, and sum up its model requests. */
export function boundAgent(agent: Draft, { entries, costOf }: Bound): void {
  agent.dropped += agent.items.splice(0, Math.max(agent.items.length - entries, 0)).length;
  if (agent.dropped > 0) {
    const shown = new Set(agent.items.map((item) => (item.type === 'call' ? item.id : '')));
    for (const id of agent.calls.keys())
      if (!shown.has(id) && !agent.openCalls.has(id)) agent.calls.delete(id);
  }
  agent.spans.splice(0, agent.spans.length - entries);
  for (const call of agent.requests.splice(0)) {
    const { requests, ...cost } = agent.summed.get(call.model) ?? { ...NO_COST, requests: 0 };
    const one = { usage: call.usage, usd: costOf(call) };
    agent.summed.set(call.model, { ...addCost(cost, one), requests: requests + 1 });
  }
}

/** Drop the tasks without an agent that ended first. */
export function boundTasks<Id>(tasks: Map<Id, PastTask>, { entries }: Bound): void {
  const ended = [...tasks].filter(
    ([, { state, agentId }]) => agentId === undefined && state.endTime !== undefined,
  );
  const surplus = ended.length - entries * TIMES_ENTRIES;
  if (surplus <= 0) return;
  const byEnd = ended.toSorted(([, a], [, b]) => (a.state.endTime ?? 0) - (b.state.endTime ?? 0));
  for (const [id] of byEnd.slice(0, surplus)) tasks.delete(id);
}

/** Drop the oldest decisions; requests that wait stay. */
export function boundDecisions(decisions: Map<string, DecisionView>, { entries }: Bound): void {
  const decided = [...decisions].filter(([, { behavior }]) => behavior !== 'ask');
  const surplus = decided.length - entries * TIMES_ENTRIES;
  for (const [id] of decided.slice(0, Math.max(0, surplus))) decisions.delete(id);
}
