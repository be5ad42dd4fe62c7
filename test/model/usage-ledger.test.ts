import { describe, expect, it } from 'vitest';
import { NO_USAGE, type Usage } from '../../src/core/usage.js';
import { createUsageLedger } from '../../src/model/usage-ledger.js';

const call = { model: 'claude-sonnet-4-5', maxOutputTokens: 1_000 };
const used = (input_tokens: number): Usage => ({ ...NO_USAGE, input_tokens });

/** root above lead above worker. */
function familyLedger() {
  const ledger = createUsageLedger();
  ledger.open('root');
  ledger.open('lead', 'root');
  ledger.open('worker', 'lead');
  return ledger;
}

describe('createUsageLedger', () => {
  it('counts a call for its account and for all above it', () => {
    const ledger = familyLedger();
    ledger.settle(ledger.reserve('worker', call), used(1_000_000));
    ledger.settle(ledger.reserve('lead', call), used(500_000));
    expect(ledger.own('lead')).toEqual({ usage: used(500_000), costUsd: 1.5, calls: 1 });
    expect(ledger.own('root')).toEqual({ usage: NO_USAGE, costUsd: 0, calls: 0 });
    expect(ledger.subtree('root')).toEqual({ usage: used(1_500_000), costUsd: 4.5, calls: 2 });
    expect(ledger.subtree('worker')).toEqual({ usage: used(1_000_000), costUsd: 3, calls: 1 });
  });

  it('keeps what is reserved visible at every level until it is settled', () => {
    const ledger = familyLedger();
    const first = ledger.reserve('worker', call);
    ledger.reserve('lead', call);
    expect(['root', 'lead', 'worker'].map(ledger.reserved)).toEqual([2_000, 2_000, 1_000]);
    ledger.settle(first, NO_USAGE);
    expect(['root', 'lead', 'worker'].map(ledger.reserved)).toEqual([1_000, 1_000, 0]);
  });

  it('books a reservation once', () => {
    const ledger = familyLedger();
    const reservation = ledger.reserve('worker', call);
    ledger.settle(reservation, used(10));
    ledger.settle(reservation, used(10));
    expect(ledger.subtree('root').calls).toBe(1);
    expect(ledger.reserved('root')).toBe(0);
  });

  it('counts by model, and says unknown rather than too little', () => {
    const ledger = familyLedger();
    ledger.settle(ledger.reserve('worker', call), used(1_000_000));
    ledger.settle(ledger.reserve('worker', call), used(5), 'other-model');
    expect([...ledger.subtreeByModel('root')]).toEqual([
      ['claude-sonnet-4-5', { usage: used(1_000_000), costUsd: 3, calls: 1 }],
      ['other-model', { usage: used(5), costUsd: undefined, calls: 1 }],
    ]);
    expect(ledger.subtree('root').costUsd).toBeUndefined();
  });

  it('charges nothing for a call that was not answered, whatever the model', () => {
    const ledger = familyLedger();
    ledger.settle(ledger.reserve('worker', { ...call, model: 'other-model' }), NO_USAGE);
    expect(ledger.own('worker').costUsd).toBe(0);
  });

  it('keeps what a closed account used, even where its last call is settled later', () => {
    const ledger = familyLedger();
    const late = ledger.reserve('worker', call);
    ledger.close('worker');
    ledger.settle(late, used(10));
    expect(ledger.subtree('root').usage).toEqual(used(10));
    expect(() => ledger.own('worker')).toThrow('There is no account "worker".');
  });

  it('refuses an account below one that is not there', () => {
    expect(() => createUsageLedger().open('worker', 'nobody')).toThrow(/"nobody"/);
  });
});
