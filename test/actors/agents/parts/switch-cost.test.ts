import { expect, it } from 'vitest';
import { costOfSwitch } from '../../../../src/actors/agents/parts/switch-cost.js';
import { createPriceTable } from '../../../../src/usage/prices.js';
import { createUsageLedger } from '../../../../src/usage/usage-ledger.js';

it('the cost of a switch to a model without a known price is not known, and not 0', () => {
  const prices = { priced: { input: 1, output: 2, cacheRead: 1, cacheWrite: 4 } };
  const ledger = createUsageLedger(createPriceTable(prices));
  const agent = { conversation: { tokens: { newest: () => 1_000_000 } } };
  const costs = ['priced', 'unpriced'].map((model) => {
    const cost = costOfSwitch(model, agent, { ledger, prices });
    return { usd: cost.estimated_cache_write_usd, pricing: cost.pricing };
  });
  expect(costs).toEqual([
    { usd: 4, pricing: 'configured' },
    { usd: null, pricing: 'default' },
  ]);
});
