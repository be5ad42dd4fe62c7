import type { TaskBudget } from '../core/tasks/task-budget.js';
import type { ModelCall, Usage } from '../core/tasks/usage.js';
import type { BudgetRefusal } from './budget-refusal.js';
import { createBudgetQueue } from './budget-queue.js';
import { createBudget, type BudgetState, type Charge } from './budget.js';
import { PriceUnknownError } from './price-unknown-error.js';
import { createPriceTable, type PriceTable } from './prices.js';
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

/** What an account, and everything below it, has used. */
export type PastUsage = {
  readonly own: UsageTotal;
  readonly total: UsageTotal;
  readonly byModel: Iterable<readonly [string, UsageTotal]>;
};

/** A model call that is about to be made. */
export type CallEstimate = {
  readonly model: string;
  /** Never below what the API will count. Asked for only where a budget limits. */
  readonly promptTokens: () => number;
  readonly maxOutputTokens: number;
  /** With less room for its reply it is not worth making. */
  readonly minOutputTokens: number;
};

/** Taken before a model call, given back after it. */
export type Reservation = {
  readonly id: number;
  readonly accountId: string;
  readonly model: string;
  /** The most that the call may put out: what was asked for, or what a budget leaves. */
  readonly maxOutputTokens: number;
};

/** How a call ended. */
export type Settlement = {
  /** The model that answered; undefined where nothing did. */
  readonly model?: string | undefined;
  /** Output tokens that a budget counts at least, where the end of a reply was not seen. */
  readonly leastOutputTokens?: number;
};

/**
 * Who used how much, and who may. Accounts are agents or tasks, by whatever id the caller knows them, each below the one
 * that asked for it. Around every model call stand {@link UsageLedger.reserve} and {@link UsageLedger.settle}: what is
 * reserved is the most that the call can use, in its own account and in all above it, so that no budget is ever passed.
 */
export interface UsageLedger {
  /**
   * Opening an account again changes nothing; one that was closed goes on, below its new parent and with a new budget.
   * @param isAgent whether budgets of `depth` and `agents` count it
   * @throws RangeError where the parent has no account
   */
  open(accountId: string, parentId?: string, budget?: TaskBudget, isAgent?: boolean): void;
  /** The budget that keeps an agent from being started below this account. */
  refusal(parentId: string): BudgetRefusal | undefined;
  /**
   * Must resolve before the call is made. It waits while calls under way hold what this one needs.
   *
   * @throws BudgetExceededError where the call might pass a budget
   * @throws PriceUnknownError where a budget of money limits a model without a price
   * @throws the signal's reason where it is aborted
   */
  reserve(accountId: string, call: CallEstimate, signal?: AbortSignal): Promise<Reservation>;
  /**
   * Gives a reservation back and books what the call used: `NO_USAGE` where nothing was answered. A second settlement of
   * the same reservation books nothing.
   */
  settle(reservation: Reservation, usage: Usage, settlement?: Settlement): void;
  /** Books a call that an earlier process has made. */
  book(accountId: string, call: ModelCall): void;
  /** Counts a call that is booked elsewhere against the account's own budget. */
  charge(accountId: string, call: ModelCall): void;
  /** How many more agents budgets allow below it now; Infinity where none limits them. */
  roomForAgents(accountId: string): number;
  /** What the account used itself. */
  own(accountId: string): UsageTotal;
  /** The account and everything that was ever below it. */
  subtree(accountId: string): UsageTotal;
  /** The same by model, in the order of first use. */
  subtreeByModel(accountId: string): ReadonlyMap<string, UsageTotal>;
  /** Puts in what an account had used that was forgotten: those above it have it already, and its budget is new. */
  recall(accountId: string, used: PastUsage): void;
  /** Undefined where the account has no budget of its own. */
  budget(accountId: string): BudgetState | undefined;
  /** Whose budget a call of this account waits for now. */
  waitsFor(accountId: string): string | undefined;
  /** The account has ended: nothing can be reserved. What it used stays. */
  close(accountId: string): void;
  /** Whether it has an account of this id. */
  knows(accountId: string): boolean;
  /** Drops an account that has ended, or was never opened, so that it can begin anew. Those above it keep its sums. */
  forget(accountId: string): void;
}

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

/** What is reserved and not settled yet. */
function createReservations(
  find: (accountId: string) => Account,
  prices: PriceTable,
  queue: ReturnType<typeof createBudgetQueue>,
): Pick<UsageLedger, 'reserve' | 'settle'> {
  /** Which account a call is booked on: kept here so that it can be booked after the account was closed. */
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
      const { maxOutputTokens, minOutputTokens } = call;
      const budgets = limited.flatMap(({ budget }) => budget ?? []);
      const granted = await queue.enter(
        { accountId, promptTokens, price, budgets, maxOutputTokens, minOutputTokens, check },
        signal,
      );
      return admit(account, { ...call, maxOutputTokens: granted.maxOutputTokens }, granted.charge);
    },
    settle({ id, model: asked }, usage, { model, leastOutputTokens = 0 } = {}) {
      const open = unsettled.get(id);
      if (open === undefined) return;
      unsettled.delete(id);
      const { account, charge } = open;
      if (charge !== undefined) for (const each of lineOf(account)) each.budget?.release(charge);
      const isTurn = model !== undefined || !isNothing(usage);
      bookOn(account, { model: model ?? asked, usage }, prices, { isTurn, leastOutputTokens });
      queue.review();
    },
  };
}
