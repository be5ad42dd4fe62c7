import type { TaskBudget } from '../core/tasks/task-budget.js';
import type { ModelCall, Usage } from '../core/tasks/usage.js';
import type { AgentRefusal } from './agent-refusal.js';
import { createBudgetQueue } from './budget-queue.js';
import { createBudget, type BudgetState, type Charge } from './budget.js';
import { PriceUnknownError } from './price-unknown-error.js';
import { createPriceTable, WEB_SEARCH_USD, type PriceTable } from './prices.js';
import {
  addTotals,
  bookOn,
  isNothing,
  lineOf,
  measure,
  NOTHING,
  refusalOf,
  toAccount,
  type Account,
  type UsageTotal,
} from './usage-account.js';

/** Usage of an account and everything below it. */
export type PastUsage = {
  readonly own: UsageTotal;
  readonly total: UsageTotal;
  readonly byModel: Iterable<readonly [string, UsageTotal]>;
};

/** An estimate of the next model request. */
export type CallEstimate = {
  readonly model: string;
  /** Never below the API's count. Called only if a budget limits. */
  readonly promptTokens: () => number;
  readonly maxOutputTokens: number;
  /** Least room for the reply that makes the request worthwhile. */
  readonly minOutputTokens: number;
  /** Most searches of the API's own tool; none if absent. */
  readonly mostWebSearches?: number;
};

/** Made before a model request, given back after it. */
export type Reservation = {
  readonly id: number;
  readonly accountId: string;
  readonly model: string;
  /** Most output tokens of the request: the requested number, or the room of a budget. */
  readonly maxOutputTokens: number;
};

/** The end of a request. */
export type Settlement = {
  /** The model that answered; undefined if none did. */
  readonly model?: string | undefined;
  /** Least output tokens for budgets, if the end of the reply was not seen. */
  readonly leastOutputTokens?: number;
  /** The same for searches. */
  readonly leastWebSearches?: number;
};

/** The usage of accounts. */
export interface UsageTotals {
  /** Whether the account exists. */
  knows(accountId: string): boolean;
  /** The account's own usage. */
  own(accountId: string): UsageTotal;
  /** Usage of the account and everything that was ever below it. */
  subtree(accountId: string): UsageTotal;
  /** The same by model, in the order of first use. */
  subtreeByModel(accountId: string): ReadonlyMap<string, UsageTotal>;
  /** Undefined if the account has no budget. */
  budget(accountId: string): BudgetState | undefined;
}

/** The budgets that requests and new agents are held to. */
export interface RequestBudgets {
  /**
   * Must resolve before the request is made. Waits while running requests hold a reservation that this one needs.
   *
   * @throws BudgetExceededError if the request might pass a budget
   * @throws PriceUnknownError if a budget in dollars limits a model without a price
   * @throws the signal's reason if it aborts
   */
  reserve(accountId: string, call: CallEstimate, signal?: AbortSignal): Promise<Reservation>;
  /**
   * Give a reservation back and book the usage: `NO_USAGE` if there was no reply. A second settlement of the same
   * reservation books nothing.
   */
  settle(reservation: Reservation, usage: Usage, settlement?: Settlement): void;
  /** The owner of the budget that a request of this account waits for. */
  waitsFor(accountId: string): string | undefined;
  /** The budget that refuses a new agent below this account. */
  refusal(parentId: string): AgentRefusal | undefined;
  /** Number of agents that budgets still allow below it; Infinity without a limit. */
  roomForAgents(accountId: string): number;
  /** The cost of a request in US dollars; undefined if the price is not known. */
  costOf(call: ModelCall): number | undefined;
}

/** The accounts of agents and tasks. */
export interface UsageAccounts {
  /**
   * Open an account. Opening it again changes nothing; a closed account is reopened below its new parent and with a new
   * budget.
   * @param isAgent whether budgets of `depth` and `agents` count it
   * @throws RangeError if the parent has no account
   */
  open(accountId: string, parentId?: string, budget?: TaskBudget, isAgent?: boolean): void;
  /** The account has ended: it accepts no reservations. Its usage stays. */
  close(accountId: string): void;
  /**
   * Drop an account that has ended or was never opened, so that it can start again. The accounts above keep its sums.
   */
  forget(accountId: string): void;
  /** Book a request of an earlier process. */
  book(accountId: string, call: ModelCall): void;
  /** Count a request that is booked elsewhere against the account's own budget. */
  charge(accountId: string, call: ModelCall): void;
  /** Restore the usage of a forgotten account. The accounts above have it already, and its budget is new. */
  recall(accountId: string, used: PastUsage): void;
}

/**
 * Usage and budgets by account. Accounts are agents or tasks, with any ID of the caller, each below its parent. Every
 * model request is between {@link UsageLedger.reserve} and {@link UsageLedger.settle}: the reservation is the maximum
 * of the request, in its own account and in all above it, so that no budget is ever passed.
 */
export interface UsageLedger extends UsageTotals, RequestBudgets, UsageAccounts {}

/** An empty ledger: one per orchestrator. */
export function createUsageLedger(prices: PriceTable = createPriceTable()): UsageLedger {
  const accounts = new Map<string, Account>();
  const queue = createBudgetQueue();
  const find = (accountId: string): Account => {
    const account = accounts.get(accountId);
    if (account === undefined) throw new RangeError(`There is no account "${accountId}".`);
    return account;
  };
  return {
    ...createReservations(find, prices, queue),
    open(accountId, parentId, cap, isAgent = true) {
      const earlier = accounts.get(accountId);
      if (earlier?.isClosed === false) return;
      const parent = parentId === undefined ? undefined : find(parentId);
      if (isAgent) for (const each of lineOf(parent)) each.live += 1;
      const budget = cap === undefined ? undefined : createBudget(accountId, cap);
      accounts.set(accountId, toAccount(accountId, parent, budget, isAgent, earlier));
    },
    refusal: (parentId) => refusalOf(find(parentId)),
    book(accountId, call) {
      bookOn(find(accountId), call, prices, { isTurn: true });
    },
    charge(accountId, call) {
      const account = find(accountId);
      const { charge, costUsd } = measure(call, prices, { isTurn: true });
      account.budget?.use(charge);
      if (costUsd === undefined) account.unpriced = call.model;
    },
    costOf: (call) => measure(call, prices, { isTurn: true }).costUsd,
    roomForAgents(accountId) {
      const rooms = [...lineOf(find(accountId))].map(
        ({ budget, live }) => (budget?.cap.agents ?? Infinity) - live,
      );
      return Math.max(0, Math.min(...rooms));
    },
    own: (accountId) => find(accountId).own,
    subtree: (accountId) => find(accountId).subtree,
    subtreeByModel: (accountId) => find(accountId).byModel,
    recall(accountId, { own, total, byModel }) {
      const account = find(accountId);
      account.own = addTotals(account.own, own);
      account.subtree = addTotals(account.subtree, total);
      for (const [model, used] of byModel)
        account.byModel.set(model, addTotals(account.byModel.get(model) ?? NOTHING, used));
    },
    budget: (accountId) => find(accountId).budget?.state,
    knows: (accountId) => accounts.has(accountId),
    waitsFor: (accountId) => queue.waitsAt(accountId)?.accountId,
    close(accountId) {
      const account = find(accountId);
      if (account.isClosed) return;
      account.isClosed = true;
      if (account.isAgent) for (const each of lineOf(account.parent)) each.live -= 1;
    },
    forget(accountId) {
      accounts.delete(accountId);
    },
  };
}

/** Reservations that are not settled yet. */
function createReservations(
  find: (accountId: string) => Account,
  prices: PriceTable,
  queue: ReturnType<typeof createBudgetQueue>,
): Pick<UsageLedger, 'reserve' | 'settle'> {
  /** The account of a request, kept to book the request after the account was closed. */
  const unsettled = new Map<number, { readonly account: Account; readonly charge?: Charge }>();
  let lastReservation = 0;

  const admit = (account: Account, call: CallEstimate, charge?: Charge): Reservation => {
    const { model, maxOutputTokens } = call;
    lastReservation += 1;
    unsettled.set(lastReservation, charge === undefined ? { account } : { account, charge });
    return { id: lastReservation, accountId: account.id, model, maxOutputTokens };
  };

  return {
    async reserve(accountId, call, signal) {
      signal?.throwIfAborted();
      const account = find(accountId);
      if (account.isClosed) throw new RangeError(`The account "${accountId}" is closed.`);
      const limited = [...lineOf(account)].filter((each) => each.budget !== undefined);
      if (limited.length === 0) return admit(account, call);
      const promptTokens = call.promptTokens();
      const price = prices.highest(call.model, promptTokens);
      const check = (): void => {
        for (const { budget, unpriced } of limited) {
          const unknown = price === undefined ? call.model : unpriced;
          if (budget?.cap.usd !== undefined && unknown !== undefined)
            throw new PriceUnknownError(unknown);
        }
      };
      const { maxOutputTokens, minOutputTokens, mostWebSearches = 0 } = call;
      const feesUsd = mostWebSearches * WEB_SEARCH_USD;
      const budgets = limited.flatMap(({ budget }) => budget ?? []);
      const granted = await queue.enter(
        {
          accountId,
          promptTokens,
          price,
          feesUsd,
          budgets,
          maxOutputTokens,
          minOutputTokens,
          check,
        },
        signal,
      );
      return admit(account, { ...call, maxOutputTokens: granted.maxOutputTokens }, granted.charge);
    },
    settle({ id, model: asked }, usage, { model, ...least } = {}) {
      const open = unsettled.get(id);
      if (open === undefined) return;
      unsettled.delete(id);
      const { account, charge } = open;
      if (charge !== undefined) for (const each of lineOf(account)) each.budget?.release(charge);
      const isTurn = model !== undefined || !isNothing(usage);
      bookOn(account, { model: model ?? asked, usage }, prices, { isTurn, ...least });
      queue.review();
    },
  };
}
