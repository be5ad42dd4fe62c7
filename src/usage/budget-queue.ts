import { BudgetExceededError } from './budget-exceeded-error.js';
import {
  highestCharge,
  toAmounts,
  type Budget,
  type CallSize,
  type Charge,
  type Room,
} from './budget.js';

/**
 * Model requests that ask several budgets for room at once, in order of arrival. A request that does not fit waits
 * while running requests hold a reservation, because they give most of it back. Once no reservation is held, the
 * request gets the rest, or ends. No request overtakes an earlier one at a budget. A deadlock is impossible: requests
 * wait only for running requests, and these end by themselves.
 */
export interface BudgetQueue {
  /**
   * Resolve with the granted output tokens and the reservation in each budget.
   *
   * @throws BudgetExceededError if the request does not fit and nothing will be given back
   * @throws the signal's reason if it aborts during the wait
   */
  enter(call: QueuedCall, signal?: AbortSignal): Promise<Grant>;
  /** Check the waiting requests again: something was given back, or used. */
  review(): void;
  /** The budget at which a request of this account waits. */
  waitsAt(accountId: string): Budget | undefined;
}

export type QueuedCall = CallSize & {
  readonly accountId: string;
  /** From the account's own up to the root's. */
  readonly budgets: readonly Budget[];
  readonly maxOutputTokens: number;
  readonly minOutputTokens: number;
  /** Throws if the request must not be made for another reason. */
  readonly check: () => void;
};

export type Grant = { readonly maxOutputTokens: number; readonly charge: Charge };

type Waiter = {
  readonly call: QueuedCall;
  readonly resolve: (grant: Grant) => void;
  readonly reject: (error: unknown) => void;
  at: Budget | undefined;
};

/** With this much room for its reply a request does not wait for more. */
const ENOUGH_OUTPUT_TOKENS = 8_192;

export function createBudgetQueue(): BudgetQueue {
  let waiters: readonly Waiter[] = [];

  const review = (): void => {
    const taken = new Set<Budget>();
    waiters = waiters.filter((waiter) => {
      const { call } = waiter;
      try {
        const verdict = admitOrRefuse(call, taken);
        if (verdict.outputTokens === undefined) {
          waiter.at = verdict.waitsAt[0];
          for (const budget of verdict.waitsAt) taken.add(budget);
          return true;
        }
        const charge = highestCharge(call, verdict.outputTokens);
        for (const budget of call.budgets) budget.reserve(charge);
        waiter.resolve({ maxOutputTokens: verdict.outputTokens, charge });
      } catch (error) {
        waiter.reject(error);
      }
      return false;
    });
  };

  return {
    review,
    waitsAt: (accountId) => waiters.find(({ call }) => call.accountId === accountId)?.at,
    enter: (call, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          if (!waiters.includes(waiter)) return;
          waiters = waiters.filter((one) => one !== waiter);
          waiter.reject(signal?.reason);
          review();
        };
        const waiter: Waiter = {
          call,
          resolve(grant) {
            signal?.removeEventListener('abort', stop);
            resolve(grant);
          },
          reject(error) {
            signal?.removeEventListener('abort', stop);
            reject(error);
          },
          at: undefined,
        };
        waiters = [...waiters, waiter];
        signal?.addEventListener('abort', stop, { once: true });
        review();
      }),
  };
}

type Verdict =
  | { readonly outputTokens: number }
  | { readonly outputTokens?: never; readonly waitsAt: readonly Budget[] };

/** @param taken budgets at which an earlier request waits */
function admitOrRefuse(call: QueuedCall, taken: ReadonlySet<Budget>): Verdict {
  call.check();
  const wanted = call.maxOutputTokens;
  const least = Math.min(wanted, call.minOutputTokens);
  const rooms = call.budgets.map((budget) => ({
    budget,
    now: Math.min(wanted, budget.room(call).outputTokens),
    later: budget.roomWhenReleased(call),
  }));
  const refusal = rooms.find(({ later }) => later.outputTokens < least);
  if (refusal !== undefined) throw exceeded(refusal.budget, refusal.later, call, least);
  const now = Math.min(wanted, ...rooms.map((one) => one.now));
  const enough = Math.min(wanted, Math.max(least, ENOUGH_OUTPUT_TOKENS));
  const tight = rooms.filter(
    (one) => taken.has(one.budget) || (one.now < enough && one.now < one.later.outputTokens),
  );
  return tight.length === 0
    ? { outputTokens: now }
    : { waitsAt: tight.map(({ budget }) => budget) };
}

function exceeded(
  { accountId, cap, usedOf }: Budget,
  { limitedBy }: Room,
  call: QueuedCall,
  least: number,
): BudgetExceededError {
  return new BudgetExceededError({
    account: accountId,
    unit: limitedBy,
    cap: cap[limitedBy] ?? Infinity, // this budget limits
    used: usedOf(limitedBy),
    needed: toAmounts(highestCharge(call, least))[limitedBy],
  });
}
