import type { TaskBudget } from '../core/tasks/task-budget.js';
import type { CallUnit } from './budget-exceeded-error.js';

/** The usage of a request, or its maximum. Dollars are counted in whole billionths, whose sums are exact. */
export type Charge = {
  readonly nanoUsd: number;
  readonly tokens: number;
  readonly turns: number;
};

/**
 * The size of a model request before its reply, the highest price of its tokens (USD per million tokens), and its
 * highest fees.
 */
export type CallSize = {
  readonly promptTokens: number;
  readonly price: { readonly prompt: number; readonly output: number } | undefined;
  readonly feesUsd: number;
};

/** Usage of model requests, by unit. */
export type BudgetAmounts = {
  /** US dollars. */
  readonly usd: number;
  /** Tokens of prompts, cached or not, and of replies. */
  readonly tokens: number;
  /** Model requests. */
  readonly turns: number;
};

/** The state of a budget. Usage and reservations together never exceed the cap. */
export type BudgetState = {
  /** Limits of the budget. */
  readonly cap: TaskBudget;
  /** Use of finished requests; of a resumed session, earlier runs included. */
  readonly used: BudgetAmounts;
  /** Most that model requests without an end may still use. */
  readonly reserved: BudgetAmounts;
};

/** One account's cap, and its usage. */
export interface Budget {
  readonly accountId: string;
  readonly cap: TaskBudget;
  readonly state: BudgetState;
  /** Most output tokens for a request of this size; less than 0 if not even its prompt fits. */
  room(size: CallSize): Room;
  /** The same if all running requests had used nothing. */
  roomWhenReleased(size: CallSize): Room;
  reserve(charge: Charge): void;
  release(charge: Charge): void;
  use(charge: Charge): void;
  usedOf(unit: CallUnit): number;
}

export type Room = { readonly outputTokens: number; readonly limitedBy: CallUnit };

const NANO = 1_000_000_000;
const NANO_PER_MICRO = 1_000;
const NOTHING: Charge = { nanoUsd: 0, tokens: 0, turns: 0 };

/** The maximum usage of a request of this size. */
export function highestCharge(
  { promptTokens, price, feesUsd }: CallSize,
  outputTokens: number,
): Charge {
  const microUsd =
    price === undefined ? 0 : promptTokens * price.prompt + outputTokens * price.output;
  return {
    nanoUsd: Math.ceil(microUsd * NANO_PER_MICRO) + toNanoUsd(feesUsd) + 1, // one more than any rounding of the same request
    tokens: promptTokens + outputTokens,
    turns: 1,
  };
}

export function toNanoUsd(usd: number): number {
  return Math.ceil(usd * NANO);
}

export function toAmounts({ nanoUsd, tokens, turns }: Charge): BudgetAmounts {
  return { usd: nanoUsd / NANO, tokens, turns };
}

export function createBudget(accountId: string, cap: TaskBudget): Budget {
  const limit: Charge = {
    nanoUsd: cap.usd === undefined ? Infinity : Math.floor(cap.usd * NANO),
    tokens: cap.tokens ?? Infinity,
    turns: cap.turns ?? Infinity,
  };
  let used = NOTHING;
  let reserved = NOTHING;
  return {
    accountId,
    cap,
    get state() {
      return { cap, used: toAmounts(used), reserved: toAmounts(reserved) };
    },
    room: (size) => roomFor(size, minus(minus(limit, used), reserved)),
    roomWhenReleased: (size) => roomFor(size, minus(limit, used)),
    reserve(charge) {
      reserved = plus(reserved, charge);
    },
    release(charge) {
      reserved = minus(reserved, charge);
    },
    use(charge) {
      used = plus(used, charge);
    },
    usedOf: (unit) => toAmounts(used)[unit],
  };
}

function roomFor(size: CallSize, free: Charge): Room {
  if (free.turns < 1) return { outputTokens: -1, limitedBy: 'turns' };
  const byTokens = free.tokens - size.promptTokens;
  const byMoney = outputFor(size, free.nanoUsd);
  return byMoney <= byTokens
    ? { outputTokens: byMoney, limitedBy: 'usd' }
    : { outputTokens: byTokens, limitedBy: 'tokens' };
}

/** Most output tokens whose request costs no more than this. */
function outputFor(size: CallSize, nanoUsd: number): number {
  const { promptTokens, price, feesUsd } = size;
  if (nanoUsd === Infinity || price === undefined) return Infinity;
  if (highestCharge(size, 0).nanoUsd > nanoUsd) return -1;
  if (price.output === 0) return Infinity;
  const left = nanoUsd - 1 - toNanoUsd(feesUsd) - promptTokens * price.prompt * NANO_PER_MICRO;
  const tokens = Math.floor(left / (price.output * NANO_PER_MICRO));
  return highestCharge(size, tokens).nanoUsd > nanoUsd ? tokens - 1 : tokens;
}

function plus(a: Charge, b: Charge): Charge {
  return { nanoUsd: a.nanoUsd + b.nanoUsd, tokens: a.tokens + b.tokens, turns: a.turns + b.turns };
}

function minus(a: Charge, b: Charge): Charge {
  return { nanoUsd: a.nanoUsd - b.nanoUsd, tokens: a.tokens - b.tokens, turns: a.turns - b.turns };
}
