import {
  addUsage,
  NO_USAGE,
  totalTokens,
  webSearches,
  webSearchesOf,
  type ModelCall,
  type Usage,
} from '../core/tasks/usage.js';
import type { AgentRefusal } from './agent-refusal.js';
import { toNanoUsd, type Budget, type Charge } from './budget.js';
import type { PriceTable } from './prices.js';

/** Tokens and cost. `costUsd` is undefined as soon as the price of one request is not known: the sum is never too low. */
export type UsageTotal = {
  /** Sum of the tokens of all requests. */
  readonly usage: Usage;
  /** US dollars; undefined if a price is not known. */
  readonly costUsd: number | undefined;
  /** Model requests that were settled. */
  readonly calls: number;
};

/** Usage of one agent or task and everything below it. */
export type Account = {
  readonly id: string;
  readonly parent: Account | undefined;
  readonly budget: Budget | undefined;
  readonly isAgent: boolean;
  /** Agents below it that have not ended. */
  live: number;
  isClosed: boolean;
  own: UsageTotal;
  subtree: UsageTotal;
  readonly byModel: Map<string, UsageTotal>;
  /** A model without a price that was used below it. */
  unpriced: string | undefined;
};

export const NOTHING: UsageTotal = { usage: NO_USAGE, costUsd: 0, calls: 0 };

/** @param earlier the closed account of this ID, which is reopened */
export function toAccount(
  id: string,
  parent: Account | undefined,
  budget: Budget | undefined,
  isAgent: boolean,
  earlier: Account | undefined,
): Account {
  return {
    id,
    parent,
    budget,
    isAgent,
    live: 0,
    isClosed: false,
    own: earlier?.own ?? NOTHING,
    subtree: earlier?.subtree ?? NOTHING,
    byModel: new Map(earlier?.byModel),
    unpriced: undefined,
  };
}

/** The budget that refuses a new agent below an account. */
export function refusalOf(parent: Account): AgentRefusal | undefined {
  let level = 1;
  for (const each of lineOf(parent)) {
    const { agents, depth } = each.budget?.cap ?? {};
    if (depth !== undefined && level > depth)
      return { account: each.id, unit: 'depth', cap: depth, used: level - 1 };
    if (agents !== undefined && each.live >= agents)
      return { account: each.id, unit: 'agents', cap: agents, used: each.live };
    if (each.isAgent) level += 1;
  }
  return undefined;
}

type CountedAs = {
  readonly isTurn: boolean;
  readonly leastOutputTokens?: number;
  readonly leastWebSearches?: number;
};

/** Usage of a request in budget units, and its cost. */
export function measure(
  { model, usage }: ModelCall,
  prices: PriceTable,
  { isTurn, leastOutputTokens = 0, leastWebSearches = 0 }: CountedAs,
): { readonly charge: Charge; readonly costUsd: number | undefined } {
  const counted = {
    ...usage,
    output_tokens: Math.max(usage.output_tokens, leastOutputTokens),
    ...webSearches(Math.max(webSearchesOf(usage), leastWebSearches)),
  };
  const charge: Charge = {
    nanoUsd: toNanoUsd(priceOf(prices, model, counted) ?? 0),
    tokens: totalTokens(counted),
    turns: isTurn ? 1 : 0,
  };
  return { charge, costUsd: priceOf(prices, model, usage) };
}

/** Book a request on an account and on all above it. */
export function bookOn(
  account: Account,
  { model, usage }: ModelCall,
  prices: PriceTable,
  how: CountedAs,
): void {
  const { charge, costUsd } = measure({ model, usage }, prices, how);
  const call: UsageTotal = { usage, costUsd, calls: 1 };
  account.own = addTotals(account.own, call);
  for (const each of lineOf(account)) {
    each.subtree = addTotals(each.subtree, call);
    each.byModel.set(model, addTotals(each.byModel.get(model) ?? NOTHING, call));
    each.budget?.use(charge);
    if (costUsd === undefined) each.unpriced = model;
  }
}

/** The account and those above it. */
export function* lineOf(account: Account | undefined): Generator<Account> {
  for (let each = account; each !== undefined; each = each.parent) yield each;
}

/** A request without usage costs nothing, for every model. */
function priceOf(prices: PriceTable, model: string, usage: Usage): number | undefined {
  return isNothing(usage) ? 0 : prices.costUsd(model, usage);
}

export function isNothing(usage: Usage): boolean {
  return totalTokens(usage) + webSearchesOf(usage) === 0;
}

export function addTotals(a: UsageTotal, b: UsageTotal): UsageTotal {
  return {
    usage: addUsage(a.usage, b.usage),
    costUsd: a.costUsd === undefined || b.costUsd === undefined ? undefined : a.costUsd + b.costUsd,
    calls: a.calls + b.calls,
  };
}
