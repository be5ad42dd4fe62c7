import { addUsage, NO_USAGE, type Usage } from '../core/usage.js';
import { costUsd } from './prices.js';

/** What was used. `costUsd` is undefined as soon as one call's price is not known: never too low a sum. */
export type UsageTotal = {
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  /** Model calls that were settled. */
  readonly calls: number;
};

/** Taken before a model call, given back after it. */
export type Reservation = {
  readonly id: number;
  readonly accountId: string;
  readonly model: string;
  /** The most that the call can put out. */
  readonly maxOutputTokens: number;
};

/**
 * Who used how much. Accounts are agents or tasks, by whatever id the caller knows them, each below the one that asked
 * for it. Around every model call stand {@link UsageLedger.reserve} and {@link UsageLedger.settle}.
 */
export interface UsageLedger {
  /** Opening an account again changes nothing. @throws RangeError where the parent has no account */
  open(accountId: string, parentId?: string): void;
  /**
   * Must succeed before the call is made. There are no caps yet, so it always does; where one is passed it will throw a
   * TroupeError that is the end of the agent.
   */
  reserve(
    accountId: string,
    estimate: { readonly model: string; readonly maxOutputTokens: number },
  ): Reservation;
  /**
   * Gives a reservation back and books what the call used: `NO_USAGE` where nothing was answered. A second settlement of
   * the same reservation books nothing.
   *
   * @param model the model that answered, where it is not the one that was asked.
   */
  settle(reservation: Reservation, usage: Usage, model?: string): void;
  /** What the account used itself. */
  own(accountId: string): UsageTotal;
  /** The account and everything that was ever below it. */
  subtree(accountId: string): UsageTotal;
  /** The same by model, in the order of first use. */
  subtreeByModel(accountId: string): ReadonlyMap<string, UsageTotal>;
  /** Output tokens that calls of the subtree may still produce. */
  reserved(accountId: string): number;
  /** Drops an account that ended. What it used stays counted in those above it. */
  close(accountId: string): void;
}

type Account = {
  readonly parent: Account | undefined;
  own: UsageTotal;
  subtree: UsageTotal;
  readonly byModel: Map<string, UsageTotal>;
  reservedOutputTokens: number;
};

const NOTHING: UsageTotal = { usage: NO_USAGE, costUsd: 0, calls: 0 };

/** An empty ledger: one per orchestrator. */
export function createUsageLedger(): UsageLedger {
  const accounts = new Map<string, Account>();
  /** Which account a call is booked on: kept here so that it can be booked after the account was closed. */
  const unsettled = new Map<number, Account>();
  let lastReservation = 0;

  const find = (accountId: string): Account => {
    const account = accounts.get(accountId);
    if (account === undefined) throw new RangeError(`There is no account "${accountId}".`);
    return account;
  };

  return {
    open(accountId, parentId) {
      if (accounts.has(accountId)) return;
      const parent = parentId === undefined ? undefined : find(parentId);
      accounts.set(accountId, {
        parent,
        own: NOTHING,
        subtree: NOTHING,
        byModel: new Map(),
        reservedOutputTokens: 0,
      });
    },
    reserve(accountId, { model, maxOutputTokens }) {
      const account = find(accountId);
      for (const each of lineOf(account)) each.reservedOutputTokens += maxOutputTokens;
      lastReservation += 1;
      unsettled.set(lastReservation, account);
      return { id: lastReservation, accountId, model, maxOutputTokens };
    },
    settle({ id, model: asked, maxOutputTokens }, usage, model = asked) {
      const account = unsettled.get(id);
      if (account === undefined) return;
      unsettled.delete(id);
      const call: UsageTotal = { usage, costUsd: priceOf(model, usage), calls: 1 };
      account.own = addTotals(account.own, call);
      for (const each of lineOf(account)) {
        each.reservedOutputTokens -= maxOutputTokens;
        each.subtree = addTotals(each.subtree, call);
        each.byModel.set(model, addTotals(each.byModel.get(model) ?? NOTHING, call));
      }
    },
    own: (accountId) => find(accountId).own,
    subtree: (accountId) => find(accountId).subtree,
    subtreeByModel: (accountId) => find(accountId).byModel,
    reserved: (accountId) => find(accountId).reservedOutputTokens,
    close(accountId) {
      accounts.delete(accountId);
    },
  };
}

/** The account and those above it. */
function* lineOf(account: Account): Generator<Account> {
  for (let each: Account | undefined = account; each !== undefined; each = each.parent) yield each;
}

/** A call that used nothing costs nothing, whatever the model. */
function priceOf(model: string, usage: Usage): number | undefined {
  const isFree = Object.values(usage).every((tokens) => tokens === 0);
  return isFree ? 0 : costUsd(model, usage);
}

function addTotals(a: UsageTotal, b: UsageTotal): UsageTotal {
  return {
    usage: addUsage(a.usage, b.usage),
    costUsd: a.costUsd === undefined || b.costUsd === undefined ? undefined : a.costUsd + b.costUsd,
    calls: a.calls + b.calls,
  };
}
