import { describe, expect, it } from 'vitest';
import type { TaskBudget } from '../../src/core/tasks/task-budget.js';
import { NO_USAGE, webSearches, type Usage } from '../../src/core/tasks/usage.js';
import { createPriceTable } from '../../src/usage/prices.js';
import { createUsageLedger, type CallEstimate } from '../../src/usage/usage-ledger.js';

const MODEL = 'claude-sonnet-4-5';
const call: CallEstimate = {
  model: MODEL,
  promptTokens: () => 1_000,
  maxOutputTokens: 10_000,
  minOutputTokens: 1_000,
};
const used = (input_tokens: number, output_tokens = 0): Usage => ({
  ...NO_USAGE,
  input_tokens,
  output_tokens,
});

/** root above lead above worker. A token of a prompt costs 1 USD a million, one of a reply 10. */
function familyLedger(budgets: { root?: TaskBudget; lead?: TaskBudget; worker?: TaskBudget } = {}) {
  const ledger = createUsageLedger(
    createPriceTable({
      cheap: { input: 1, output: 10, cacheRead: 0, cacheWrite: 1 },
      free: { input: 0, output: 0, cacheRead: 0 },
    }),
  );
  ledger.open('root', undefined, budgets.root);
  ledger.open('lead', 'root', budgets.lead);
  ledger.open('worker', 'lead', budgets.worker);
  return ledger;
}

describe('what was used', () => {
  it('counts for its account and for all above it', async () => {
    const ledger = familyLedger();
    ledger.settle(await ledger.reserve('worker', call), used(1_000_000));
    ledger.settle(await ledger.reserve('lead', call), used(500_000));
    expect(ledger.own('lead')).toEqual({ usage: used(500_000), costUsd: 1.5, calls: 1 });
    expect(ledger.own('root')).toEqual({ usage: NO_USAGE, costUsd: 0, calls: 0 });
    expect(ledger.subtree('root')).toEqual({ usage: used(1_500_000), costUsd: 4.5, calls: 2 });
    expect(ledger.subtree('worker')).toEqual({ usage: used(1_000_000), costUsd: 3, calls: 1 });
  });

  it('is booked once a reservation', async () => {
    const ledger = familyLedger();
    const reservation = await ledger.reserve('worker', call);
    ledger.settle(reservation, used(10));
    ledger.settle(reservation, used(10));
    expect(ledger.subtree('root').calls).toBe(1);
  });

  it('counts by model, and is unknown rather than too little', async () => {
    const ledger = familyLedger();
    ledger.settle(await ledger.reserve('worker', call), used(1_000_000));
    ledger.settle(await ledger.reserve('worker', call), used(5), { model: 'other-model' });
    expect([...ledger.subtreeByModel('root')]).toEqual([
      [MODEL, { usage: used(1_000_000), costUsd: 3, calls: 1 }],
      ['other-model', { usage: used(5), costUsd: undefined, calls: 1 }],
    ]);
    expect(ledger.subtree('root').costUsd).toBeUndefined();
  });

  it('is nothing for a call that was not answered, whatever the model', async () => {
    const ledger = familyLedger();
    ledger.settle(await ledger.reserve('worker', { ...call, model: 'other-model' }), NO_USAGE);
    expect(ledger.own('worker').costUsd).toBe(0);
  });

  it('stays known when an account is closed, even if its last call is settled later', async () => {
    const ledger = familyLedger();
    const late = await ledger.reserve('worker', call);
    ledger.close('worker');
    ledger.settle(late, used(10));
    expect(ledger.subtree('root').usage).toEqual(used(10));
    expect(ledger.own('worker').usage).toEqual(used(10));
    await expect(ledger.reserve('worker', call)).rejects.toThrow('"worker" is closed');
  });

  it('continues if an account is opened again, below its new parent', async () => {
    const ledger = familyLedger();
    ledger.settle(await ledger.reserve('worker', call), used(10));
    ledger.close('worker');
    ledger.open('worker', 'root');
    ledger.settle(await ledger.reserve('worker', call), used(5));
    expect([ledger.own('worker'), ledger.subtree('lead'), ledger.subtree('root')]).toMatchObject([
      { usage: used(15), calls: 2 },
      { usage: used(10), calls: 1 },
      { usage: used(15), calls: 2 },
    ]);
  });

  it('keeps the totals below an account that is opened again', async () => {
    const ledger = familyLedger();
    ledger.settle(await ledger.reserve('worker', call), used(10));
    ledger.close('worker');
    ledger.close('lead');
    ledger.open('lead', 'root');
    expect([ledger.own('lead'), ledger.subtree('lead'), ledger.subtree('root')]).toMatchObject([
      { usage: NO_USAGE, calls: 0 },
      { usage: used(10), calls: 1 },
      { usage: used(10), calls: 1 },
    ]);
    ledger.settle(await ledger.reserve('lead', call), used(5));
    const sum = { usage: used(15), calls: 2 };
    expect([ledger.subtree('lead'), ledger.subtree('root')]).toMatchObject([sum, sum]);
    expect([...ledger.subtreeByModel('lead')]).toMatchObject([[MODEL, sum]]);
  });

  it('includes what earlier processes used, until the account is forgotten', () => {
    const ledger = familyLedger({ root: { turns: 3 } });
    ledger.book('worker', { model: MODEL, usage: used(1_000_000) });
    expect(ledger.subtree('root')).toMatchObject({ costUsd: 3, calls: 1 });
    expect(ledger.budget('root')?.used).toEqual({ usd: 3, tokens: 1_000_000, turns: 1 });
    ledger.forget('root');
    ledger.open('root');
    expect(ledger.subtree('root').calls).toBe(0);
  });

  it('has no account below one that is not there', () => {
    expect(() => createUsageLedger().open('worker', 'nobody')).toThrow(/"nobody"/);
  });
});

describe('a budget', () => {
  const cheap = { ...call, model: 'cheap' };

  it('is reserved at every level above a call, and given back', async () => {
    const ledger = familyLedger({ root: { usd: 1 }, worker: { tokens: 100_000 } });
    const reservation = await ledger.reserve('worker', cheap);
    expect(ledger.budget('root')).toEqual({
      cap: { usd: 1 },
      used: { usd: 0, tokens: 0, turns: 0 },
      reserved: { usd: 0.101000001, tokens: 11_000, turns: 1 }, // rounding may never take more
    });
    expect(ledger.budget('worker')?.reserved.tokens).toBe(11_000);
    expect(ledger.budget('lead')).toBeUndefined();
    ledger.settle(reservation, used(900, 100), { model: 'cheap' });
    expect(ledger.budget('root')).toEqual({
      cap: { usd: 1 },
      used: { usd: 0.0019, tokens: 1_000, turns: 1 },
      reserved: { usd: 0, tokens: 0, turns: 0 },
    });
  });

  it('has room for the highest fees of searches', async () => {
    const ledger = familyLedger({ root: { usd: 0.25 } });
    const searching = { ...cheap, mostWebSearches: 5 };
    const first = await ledger.reserve('worker', searching);
    expect(ledger.budget('root')?.reserved.usd).toBe(0.151000001);
    const usage = { ...used(1_000), ...webSearches(3) };
    ledger.settle(first, usage, { model: 'cheap' });
    expect(ledger.subtree('root')).toEqual({ usage, costUsd: 0.031, calls: 1 });
    const cut = await ledger.reserve('worker', searching);
    ledger.settle(cut, used(1_000), { model: 'cheap', leastWebSearches: 4 });
    expect(ledger.budget('root')?.used.usd).toBe(0.072);
    const shorter = await ledger.reserve('worker', { ...searching, mostWebSearches: 10 });
    expect(shorter.maxOutputTokens).toBe(7_699);
    ledger.settle(shorter, NO_USAGE);
    await expect(
      ledger.reserve('worker', { ...searching, mostWebSearches: 20 }),
    ).rejects.toMatchObject({ details: { unit: 'usd', used: 0.072, needed: 0.211000001 } });
  });

  it('makes the reply shorter if it is nearly reached, and ends if that would be too short', async () => {
    const ledger = familyLedger({ root: { usd: 0.025 } });
    const first = await ledger.reserve('lead', cheap);
    expect(first.maxOutputTokens).toBe(2_399); // (0.025 - 0.001) / 10 a million, less what rounding may take
    ledger.settle(first, used(1_000, 1_300));
    await expect(ledger.reserve('lead', cheap)).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message:
        'Reached the budget of 0.025 USD of root and all below it: 0.014 USD are used and the next model request may use 0.011 USD more.',
      details: { account: 'root', unit: 'usd', cap: 0.025, used: 0.014, needed: 0.011000001 },
    });
    const smaller = await ledger.reserve('lead', { ...cheap, promptTokens: () => 500 });
    expect(smaller.maxOutputTokens).toBe(1_049);
  });

  it.each([
    [
      { tokens: 12_500 },
      [
        10_000,
        'Reached the budget of 12500 tokens of root and all below it: 11000 tokens are used and the next model request may use 2000 tokens more.',
      ],
    ],
    [
      { turns: 1 },
      [
        10_000,
        'Reached the budget of 1 model request of root and all below it: 1 model request is used.',
      ],
    ],
  ])('can be one of %j', async (root, [granted, message]) => {
    const ledger = familyLedger({ root });
    const first = await ledger.reserve('worker', call);
    expect(first.maxOutputTokens).toBe(granted);
    ledger.settle(first, used(1_000, 10_000));
    await expect(ledger.reserve('lead', call)).rejects.toThrow(String(message));
  });

  it('does not count a try that nothing answered as a model call', async () => {
    const ledger = familyLedger({ root: { turns: 1 } });
    ledger.settle(await ledger.reserve('lead', call), NO_USAGE);
    ledger.settle(await ledger.reserve('lead', call), NO_USAGE, { model: MODEL });
    await expect(ledger.reserve('lead', call)).rejects.toThrow('1 model request is used');
  });

  it('counts what came of a reply that was cut off, though nobody said how much it was', async () => {
    const ledger = familyLedger({ root: { usd: 1 } });
    const cut = await ledger.reserve('lead', cheap);
    ledger.settle(cut, used(1_000, 1), { model: 'cheap', leastOutputTokens: 5_000 });
    expect(ledger.budget('root')?.used).toEqual({ usd: 0.051, tokens: 6_000, turns: 1 });
    expect(ledger.subtree('root').usage).toEqual(used(1_000, 1));
  });

  it('of money refuses a model whose price is not known, before the call and after another one answered', async () => {
    const ledger = familyLedger({ root: { usd: 1 } });
    await expect(ledger.reserve('lead', { ...call, model: 'mystery' })).rejects.toMatchObject({
      code: 'PRICE_UNKNOWN',
      message: expect.stringContaining('"modelPrices": {"mystery":{"input":3,"output":15'),
    });
    ledger.settle(await ledger.reserve('lead', cheap), used(1), { model: 'riddle' });
    await expect(ledger.reserve('lead', cheap)).rejects.toThrow('the price of the model "riddle"');
  });

  it('of tokens does not ask what they cost', async () => {
    const ledger = familyLedger({ root: { tokens: 20_000 } });
    const reservation = await ledger.reserve('lead', { ...call, model: 'mystery' });
    expect(reservation.maxOutputTokens).toBe(10_000);
  });

  it('of money is never reached by a model that costs nothing', async () => {
    const ledger = familyLedger({ root: { usd: 0.000_001 } });
    expect((await ledger.reserve('lead', { ...call, model: 'free' })).maxOutputTokens).toBe(10_000);
  });

  it('lets a call wait while others hold what it needs, in order of arrival, and tells at whose', async () => {
    const ledger = familyLedger({ root: { tokens: 12_000 } });
    const order: string[] = [];
    const first = await ledger.reserve('worker', call);
    const second = ledger.reserve('lead', call).then((one) => (order.push('second'), one));
    const third = ledger
      .reserve('worker', { ...call, promptTokens: () => 10, maxOutputTokens: 10 })
      .then((one) => (order.push('third'), one)); // it would fit
    await Promise.resolve();
    expect([ledger.waitsFor('lead'), ledger.waitsFor('root')]).toEqual(['root', undefined]);
    ledger.settle(first, used(1_000, 500));
    ledger.settle(await second, used(1_000, 500));
    expect((await third).maxOutputTokens).toBe(10);
    expect(order).toEqual(['second', 'third']);
    expect(ledger.waitsFor('lead')).toBeUndefined();
  });

  it('takes what is left if nothing will be given back, rather than wait', async () => {
    const ledger = familyLedger({ root: { tokens: 5_000 } });
    expect((await ledger.reserve('worker', call)).maxOutputTokens).toBe(4_000);
  });

  it('ends a call that waits if what it waited for was used up', async () => {
    const ledger = familyLedger({ root: { tokens: 12_000 } });
    const first = await ledger.reserve('worker', call);
    const second = ledger.reserve('lead', call);
    ledger.settle(first, used(1_000, 10_000));
    await expect(second).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  });

  it('releases a call that is aborted, and the calls that waited behind it', async () => {
    const ledger = familyLedger({ root: { tokens: 12_000 } });
    await ledger.reserve('worker', call);
    const controller = new AbortController();
    const waiting = ledger.reserve('lead', call, controller.signal);
    const behind = ledger.reserve('lead', {
      ...call,
      promptTokens: () => 10,
      maxOutputTokens: 10,
    });
    controller.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect((await behind).maxOutputTokens).toBe(10);
    await expect(ledger.reserve('lead', call, controller.signal)).rejects.toThrow('stopped');
  });

  it('books what a server claims beyond what it was asked for, and ends', async () => {
    const ledger = familyLedger({ root: { usd: 0.1 } });
    ledger.settle(await ledger.reserve('lead', cheap), used(1_000_000), { model: 'cheap' });
    expect(ledger.budget('root')?.used.usd).toBe(1);
    await expect(ledger.reserve('lead', cheap)).rejects.toThrow('1 USD are used');
  });

  it('counts what is booked elsewhere in its own account alone', async () => {
    const ledger = familyLedger({ root: { turns: 5 }, lead: { turns: 2, usd: 1 } });
    ledger.charge('lead', { model: 'cheap', usage: used(100_000) });
    expect(ledger.budget('lead')?.used).toEqual({ usd: 0.1, tokens: 100_000, turns: 1 });
    expect(ledger.budget('root')?.used.turns).toBe(0);
    expect(ledger.subtree('lead').calls).toBe(0);
    ledger.charge('lead', { model: 'nobody knows it', usage: used(1) });
    await expect(ledger.reserve('worker', cheap)).rejects.toMatchObject({ code: 'PRICE_UNKNOWN' });
  });

  it('of agents says how many more there may be, at every level above', () => {
    const ledger = familyLedger({ root: { agents: 4 }, lead: { agents: 3 } });
    expect(['root', 'lead', 'worker'].map(ledger.roomForAgents)).toEqual([2, 2, 2]);
    ledger.close('worker');
    expect(['root', 'lead'].map(ledger.roomForAgents)).toEqual([3, 3]);
    expect(familyLedger({ root: { agents: 1 } }).roomForAgents('root')).toBe(0); // two live: a resumed session
    expect(familyLedger().roomForAgents('worker')).toBe(Infinity);
  });
});
