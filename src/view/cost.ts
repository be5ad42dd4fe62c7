import { addUsage, NO_USAGE, type ModelCall, type Usage } from '../core/tasks/usage.js';

/** Tokens and cost; the cost is undefined if a price is not known. */
export type Cost = { readonly usage: Usage; readonly usd: number | undefined };

/** The cost of one model request in USD; undefined if the price is not known. */
export type CostOf = (call: ModelCall) => number | undefined;

/** Model requests, tokens and cost. */
export type Use = Cost & { readonly requests: number };

export const NO_COST: Cost = { usage: NO_USAGE, usd: 0 };

export function addCost(a: Cost, b: Cost): Cost {
  const isKnown = a.usd !== undefined && b.usd !== undefined;
  return { usage: addUsage(a.usage, b.usage), usd: isKnown ? a.usd + b.usd : undefined };
}
