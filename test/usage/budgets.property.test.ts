import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskBudget } from '../../src/core/tasks/task-budget.js';
import { NO_USAGE, totalTokens, webSearches } from '../../src/core/tasks/usage.js';
import { createPriceTable } from '../../src/usage/prices.js';
import { createUsageLedger, type Reservation } from '../../src/usage/usage-ledger.js';

const MODEL = 'priced';

/** An amount of money that is no round number of anything. */
const price = fc.double({ min: 0, max: 75, noNaN: true });
const cap = fc
  .record(
    {
      usd: fc.double({ min: 0.000_1, max: 0.5, noNaN: true }),
      tokens: fc.integer({ min: 1, max: 200_000 }),
      turns: fc.integer({ min: 1, max: 12 }),
    },
    { requiredKeys: [] },
  )
  .map((given): TaskBudget => given);

/** Each node hangs below an earlier one. */
const tree = fc.array(
  fc.record({ below: fc.nat(), cap: fc.option(cap, { nil: undefined, freq: 2 }) }),
  { minLength: 1, maxLength: 12 },
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('call' as const),
      by: fc.nat(),
      promptTokens: fc.integer({ min: 0, max: 30_000 }),
      maxOutputTokens: fc.integer({ min: 1, max: 32_000 }),
      minOutputTokens: fc.integer({ min: 1, max: 2_000 }),
      mostWebSearches: fc.integer({ min: 0, max: 5 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('end' as const),
      which: fc.nat(),
      ofPrompt: share,
      cached: share,
      ofOutput: share,
      isCut: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('abort' as const), which: fc.nat() }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Call = Extract<Step, { type: 'call' }>;
type End = Extract<Step, { type: 'end' }>;

const WHOLE: Omit<End, 'which'> = {
  type: 'end',
  ofPrompt: 1,
  cached: 1,
  ofOutput: 1,
  isCut: false,
};

/** A ledger over a tree, with calls that begin, end and are aborted by the steps of a test. */
function createWorld(
  nodes: readonly { below: number; cap: TaskBudget | undefined }[],
  prices: { input: number; output: number; cacheRead: number; cacheWrite: number },
) {
  const ledger = createUsageLedger(createPriceTable({ [MODEL]: prices }));
  const ids = nodes.map((_, index) => `a${index}`);
  for (const [index, node] of nodes.entries())
    ledger.open(`a${index}`, index === 0 ? undefined : `a${node.below % index}`, node.cap);
  const begun: { reservation: Reservation; call: Call }[] = [];
  const waiting = new Set<AbortController>();
  const refused: unknown[] = [];
  let made = 0;
  const admitted = (reservation: Reservation, call: Call): number => {
    const least = Math.min(call.minOutputTokens, call.maxOutputTokens);
    if (reservation.maxOutputTokens < least) refused.push(new Error('too short a reply'));
    return begun.push({ reservation, call });
  };

  return {
    ids,
    ledger,
    waiting,
    begun,
    refused,
    get made() {
      return made;
    },
    begin(call: Call): void {
      const controller = new AbortController();
      waiting.add(controller);
      const { by, promptTokens, maxOutputTokens, minOutputTokens, mostWebSearches } = call;
      const least = { minOutputTokens, mostWebSearches };
      const estimate = { model: MODEL, promptTokens: () => promptTokens, maxOutputTokens };
      made += 1;
      ledger
        .reserve(ids[by % ids.length] as string, { ...estimate, ...least }, controller.signal)
        .then((reservation) => admitted(reservation, call))
        .catch((error: unknown) => refused.push(error))
        .finally(() => waiting.delete(controller));
    },
    end({ which, ofPrompt, cached, ofOutput, isCut }: Omit<End, 'type'>): void {
      const [one] = begun.splice(which % Math.max(1, begun.length), 1);
      if (one === undefined) return;
      const prompt = Math.floor(one.call.promptTokens * ofPrompt);
      const written = Math.floor(prompt * cached);
      const searches = Math.floor(one.call.mostWebSearches * ofOutput);
      const output = Math.floor(one.reservation.maxOutputTokens * ofOutput);
      const usage = {
        ...NO_USAGE,
        input_tokens: prompt - written,
        cache_creation_input_tokens: written,
        output_tokens: isCut ? 1 : output,
        ...(!isCut && webSearches(searches)),
      };
      const least = { leastOutputTokens: output, leastWebSearches: searches };
      ledger.settle(one.reservation, usage, { model: MODEL, ...least });
    },
    abort(which: number): void {
      [...waiting][which % Math.max(1, waiting.size)]?.abort(new Error('aborted'));
    },
  };
}

type World = ReturnType<typeof createWorld>;

/** No budget is passed at this instant, in no unit. */
function expectWithinCaps({ ids, ledger }: World): void {
  for (const id of ids) {
    const state = ledger.budget(id);
    for (const unit of ['usd', 'tokens', 'turns'] as const) {
      const limit = state?.cap[unit];
      if (state === undefined || limit === undefined) continue;
      const taken = nano(state.used[unit]) + nano(state.reserved[unit]);
      expect(taken, `${unit} of ${id}`).toBeLessThanOrEqual(Math.floor(limit * 1e9));
    }
  }
}

function nano(amount: number): number {
  return Math.round(amount * 1e9);
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('budgets over random trees', () => {
  it('are never passed at any instant, and no call waits for ever', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.record({ input: price, output: price, cacheRead: price, cacheWrite: price }),
        fc.array(step, { maxLength: 60 }),
        async (nodes, prices, steps) => {
          const world = createWorld(nodes, prices);
          for (const one of steps) {
            if (one.type === 'call') world.begin(one);
            else if (one.type === 'end') world.end(one);
            else world.abort(one.which);
            expectWithinCaps(world);
            if (one.type !== 'call') await settled();
            expectWithinCaps(world);
          }
          await settled();
          for (let left = world.made; world.begun.length > 0 && left >= 0; left -= 1) {
            world.end({ ...WHOLE, which: 0 });
            await settled();
            expectWithinCaps(world);
          }
          expect([world.begun.length, world.waiting.size]).toEqual([0, 0]);
          for (const error of world.refused) expectRefusalToBeDue(error);
          for (const id of world.ids) {
            const { usage, costUsd, calls } = world.ledger.subtree(id);
            const { usd, tokens, turns } = world.ledger.budget(id)?.cap ?? {};
            expect(costUsd).toBeLessThanOrEqual(usd ?? Infinity);
            expect(totalTokens(usage)).toBeLessThanOrEqual(tokens ?? Infinity);
            expect(calls).toBeLessThanOrEqual(turns ?? Infinity);
            expect(world.ledger.budget(id)?.reserved ?? NOTHING).toEqual(NOTHING);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

const NOTHING = { usd: 0, tokens: 0, turns: 0 };

/** A call is refused only if the usage and the least cost of the call are more than the cap together. */
function expectRefusalToBeDue(error: unknown): void {
  if (error instanceof Error && error.message === 'aborted') return;
  expect(error).toMatchObject({ code: 'BUDGET_EXCEEDED' });
  const { reached } = error as { reached: { cap: number; used: number; needed: number } };
  expect(nano(reached.used) + nano(reached.needed)).toBeGreaterThan(Math.floor(reached.cap * 1e9));
}

describe('budgets of agents over random trees', () => {
  const limits = fc
    .record({ depth: fc.nat(3), agents: fc.nat(4) }, { requiredKeys: [] })
    .map((given): TaskBudget => given);
  const change = fc.record({
    type: fc.constantFrom('start' as const, 'start' as const, 'end' as const),
    which: fc.nat(),
    limit: fc.option(limits, { nil: undefined }),
    isAgent: fc.boolean(),
  });

  it('are never passed: who asks is refused exactly if one more would be too many', () => {
    let refusals = 0;
    fc.assert(
      fc.property(fc.option(limits), fc.array(change, { maxLength: 80 }), (rootCap, changes) => {
        const ledger = createUsageLedger();
        type Node = {
          id: string;
          above: Node | undefined;
          cap: TaskBudget | undefined;
          isAgent: boolean;
        };
        const root: Node = { id: 'a0', above: undefined, cap: rootCap ?? undefined, isAgent: true };
        ledger.open(root.id, undefined, root.cap);
        let live: readonly Node[] = [root];
        const lineOf = (node: Node): readonly Node[] =>
          node.above === undefined ? [node] : [node, ...lineOf(node.above)];
        const below = (node: Node): readonly Node[] =>
          live.filter((one) => one !== node && one.isAgent && lineOf(one).includes(node));
        const levelBelow = (node: Node, child: Node): number =>
          lineOf(child)
            .slice(0, lineOf(child).indexOf(node))
            .filter((one) => one.isAgent).length;
        for (const [index, { type, which, limit, isAgent }] of changes.entries()) {
          const node = live[which % live.length] as Node;
          if (type === 'end') {
            if (node === root || live.some((one) => one.above === node)) continue; // children end first
            ledger.close(node.id);
            ledger.close(node.id); // a second time changes nothing
            live = live.filter((one) => one !== node);
            continue;
          }
          const child: Node = { id: `a${index + 1}`, above: node, cap: limit, isAgent };
          const tooMany = lineOf(node).filter(
            (one) =>
              below(one).length + 1 > (one.cap?.agents ?? Infinity) ||
              levelBelow(one, { ...child, isAgent: true }) > (one.cap?.depth ?? Infinity),
          );
          const refusal = isAgent ? ledger.refusal(node.id) : undefined;
          expect(refusal?.account).toBe(isAgent ? tooMany[0]?.id : undefined);
          if (refusal !== undefined) {
            refusals += 1;
            continue;
          }
          ledger.open(child.id, node.id, limit, isAgent);
          live = [...live, child];
          for (const one of live) {
            expect(below(one).length).toBeLessThanOrEqual(one.cap?.agents ?? Infinity);
            for (const other of below(one))
              expect(levelBelow(one, other)).toBeLessThanOrEqual(one.cap?.depth ?? Infinity);
          }
        }
      }),
      { numRuns: 300 },
    );
    expect(refusals).toBeGreaterThan(100);
  });
});
