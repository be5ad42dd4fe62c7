import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { InspectedActor } from '../../../src/actors/contract/inspected-actor.js';
import type { ResultMessage } from '../../../src/actors/contract/result-message.js';
import type { TaskBudget } from '../../../src/core/tasks/task-budget.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { totalTokens } from '../../../src/core/tasks/usage.js';
import type { BudgetState } from '../../../src/usage/budget.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { createGate } from '../../support/gate.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { ALLOW_ALL, createTroupe, defineAgent } from '../../support/troupe.js';

const agents = [defineAgent('worker', { tools: ['TodoWrite'] })];
/** About 500 output tokens, and never an end. */
const works = { text: 'x'.repeat(2_000), tools: [{ name: 'TodoWrite', input: { todos: [] } }] };

async function resultOf(session: SessionHandle): Promise<ResultMessage> {
  let newest: ResultMessage | undefined;
  for await (const message of session) if (message.type === 'result') newest = message;
  if (newest === undefined) throw new Error('There was no result.');
  return newest;
}

describe('a budget of a session', () => {
  it('is not passed at any instant by 50 agents in the background, and nearly used up', async () => {
    const calls = Array.from({ length: 50 }, (_, index) =>
      agentCall('worker', { name: `w${index}`, background: true }),
    );
    const { troupe } = await createTroupe(
      playParts({ main: [{ tools: calls }, { text: 'I wait.' }], worker: [works] }),
      { agents },
    );
    const session = troupe.session({ prompt: 'Go.', maxBudgetUsd: 1, modelName: 'sonnet' });
    const highest = { usd: 0 };
    session.events.on('agent.sampled', () => {
      const { used, reserved } = session.usage().budget as BudgetState; // it has one
      highest.usd = Math.max(highest.usd, used.usd + reserved.usd);
    });
    const result = await resultOf(session);
    expect(result).toMatchObject({
      subtype: 'error_max_budget_usd',
      is_error: true,
      errors: [expect.stringMatching(/^Reached the budget of 1 USD of amain-/)],
    });
    expect(highest.usd).toBeLessThanOrEqual(1);
    expect(result.total_cost_usd).toBeLessThanOrEqual(1);
    expect(result.total_cost_usd).toBeGreaterThan(0.9);
    const workers = session.tasks().filter(({ type }) => type === 'local_agent');
    const ends = workers.map(({ outcome }) =>
      outcome?.status === 'failed' ? outcome.failure.code : outcome?.status,
    );
    expect(ends).toHaveLength(50); // agents that still worked when the main agent stopped are killed
    expect(new Set([...ends, 'killed'])).toEqual(new Set(['BUDGET_EXCEEDED', 'killed']));
    expect(ends).toContain('BUDGET_EXCEEDED');
    expect(troupe.inspect().children).toEqual([]);
  }, 30_000);

  it.each([
    [{ turns: 3 }, 'error_max_turns', 'Reached the budget of 3 model requests of amain-'],
    [{ tokens: 20_000 }, 'error_during_execution', 'Reached the budget of 20000 tokens of amain-'],
  ])('can be one of %j', async (taskBudget, subtype, message) => {
    const { troupe } = await createTroupe(playParts({ main: [works] }), { agents });
    const session = troupe.session({ prompt: 'Go.', taskBudget });
    expect(await resultOf(session)).toMatchObject({
      subtype,
      errors: [expect.stringContaining(message)],
    });
    const { total } = session.usage();
    const { turns = Infinity, tokens = Infinity }: TaskBudget = taskBudget;
    expect(total.calls).toBeLessThanOrEqual(turns);
    expect(totalTokens(total.usage)).toBeLessThanOrEqual(tokens);
  });

  it('of money is an error before the first call if the price of the model is not known', async () => {
    let requests = 0;
    const script = () => ((requests += 1), { text: 'Done.' });
    const { troupe } = await createTroupe(script, { modelName: 'mystery' });
    const session = troupe.session({ prompt: 'Go.', maxBudgetUsd: 5 });
    expect(await resultOf(session)).toMatchObject({
      subtype: 'error_during_execution',
      total_cost_usd: 0,
      errors: [
        expect.stringMatching(
          /the price of the model "mystery" is not known.*"modelPrices": \{"mystery":/,
        ),
      ],
    });
    expect(requests).toBe(0);
    const free = troupe.session({ prompt: 'Go.' });
    expect(await resultOf(free)).toMatchObject({ subtype: 'success', total_cost_usd: null });
  });

  it('goes by prices that are given', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'x'.repeat(4_000_000) }), {
      modelName: 'mystery',
      maxTokens: 2_000_000,
      prices: { mystery: { input: 0, output: 1, cacheRead: 0 } },
    });
    const session = troupe.session({ prompt: 'Go.', maxBudgetUsd: 5 });
    expect(await resultOf(session)).toMatchObject({ subtype: 'success', total_cost_usd: 1 });
  });

  it.each([
    [{ maxBudgetUsd: 0 }, 'maxBudgetUsd is 0: an amount of USD above 0 is needed, such as 0.5.'],
    [{ maxBudgetUsd: Number.NaN }, 'maxBudgetUsd is NaN'],
    [{ taskBudget: { turns: 0 } }, 'taskBudget.turns must be more than 0, not the number 0.'],
    [
      { taskBudget: { token: 5 } as object },
      'taskBudget: there is no field "token". Did you mean tokens?',
    ],
  ])('cannot be %j', async (start, message) => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    expect(() => troupe.session({ prompt: 'Go.', ...start })).toThrow(message);
    const session = troupe.session();
    const spawn = { prompt: 'Go.', taskBudget: { usd: -1 } };
    await expect(session.spawn(spawn)).rejects.toThrow(
      'taskBudget.usd must be more than 0, not the number -1.',
    );
    const prices = { mystery: { input: -1, output: 1, cacheRead: 0 } };
    expect(() => createOrchestrator({ prices })).toThrow(
      'prices.mystery.input must be at least 0, not the number -1.',
    );
  });
});

describe('a budget of a sub-agent', () => {
  it('ends it and all its sub-agents, and its parent gets an error', async () => {
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('lead')] },
          ({ messages }) => ({ text: newestResults(messages).map(resultText).join() }),
        ],
        lead: [{ tools: [agentCall('worker', { name: 'ada' }), agentCall('worker')] }],
        worker: [works],
      }),
      { agents: [...agents, defineAgent('lead', { taskBudget: { turns: 6 } })] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const { status, result } = await session.outcome.then((one) => ({ result: '', ...one }));
    expect(status).toBe('completed');
    expect(result).toMatch(
      /The lead agent "lead" \(\w+\) failed: Reached the budget of 6 model requests of alead-\w+ and all below it: 6 model requests are used\./,
    );
    expect(session.usage().total.calls).toBe(8);
    const [lead] = session.tasks().filter(({ description }) => description === 'lead');
    const usage = session.task(lead?.id ?? '')?.usage();
    expect(usage?.total.calls).toBe(6);
    expect(usage?.own.calls).toBe(1);
    expect(usage?.budget).toMatchObject({ cap: { turns: 6 }, used: { turns: 6 } });
  });

  it('is its start’s, its definition’s or the orchestrator’s, in this order', async () => {
    const { troupe } = await createTroupe(playParts({ worker: [works], lead: [works] }), {
      agents: [...agents, defineAgent('lead', { tools: ['TodoWrite'], taskBudget: { turns: 2 } })],
      taskBudget: { turns: 3 },
    });
    const session = troupe.session();
    const calls = async (options: object): Promise<number> => {
      const task = await session.spawn({ prompt: 'Go.', ...options });
      expect(await task.outcome).toMatchObject({ failure: { code: 'BUDGET_EXCEEDED' } });
      return task.usage().total.calls;
    };
    expect(await calls({ agent: 'lead', taskBudget: { turns: 1 } })).toBe(1);
    expect(await calls({ agent: 'lead' })).toBe(2);
    expect(await calls({ agent: 'worker' })).toBe(3);
    expect(session.usage()).toMatchObject({ total: { calls: 6 }, own: { calls: 0 } });
  });
});

describe('an agent that waits for its budget', () => {
  it('reports that, works when the budget has room again, and stops when it is asked to', async () => {
    const gate = createGate();
    const asked = createGate();
    const { troupe } = await createTroupe(
      playParts({
        first: [async () => (asked.open(), await gate.opened, { text: 'First.' })],
        second: [{ text: 'Second.' }],
        third: [{ text: 'Third.' }],
      }),
      { agents },
    );
    const session = troupe.session({ taskBudget: { turns: 2, tokens: 42_000 } });
    const first = await session.spawn({ agent: 'worker', name: 'first', prompt: 'Go.' });
    await asked.opened;
    const second = await session.spawn({ agent: 'worker', name: 'second', prompt: 'Go.' });
    const third = await session.spawn({ agent: 'worker', name: 'third', prompt: 'Go.' });
    await expect
      .poll(() => waitsOf(troupe.inspect(), 'third'))
      .toEqual([
        expect.stringMatching(/^the budget of amain-\w+: running model requests have reserved/),
      ]);
    expect(await third.kill('not needed')).toEqual({ status: 'killed', reason: 'not needed' });
    expect(second.status).toBe('running');
    gate.open();
    expect(await first.outcome).toEqual({ status: 'completed', result: 'First.' });
    expect(await second.outcome).toEqual({ status: 'completed', result: 'Second.' });
  });
});

/** The reason why the agent of this name waits. */
function waitsOf(actor: InspectedActor, name: string): readonly string[] {
  if (actor.kind === 'agent' && actor.label === name) return actor.waitingFor;
  return actor.children.flatMap((child) => waitsOf(child, name));
}

describe('a scripted model', () => {
  it('is called "scripted" if nobody names a model, and its price is not known', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }));
    const session = troupe.session({ prompt: 'Go.' });
    expect((await resultOf(session)).total_cost_usd).toBeNull();
    expect([...session.usage().byModel.keys()]).toEqual(['scripted']);
  });

  it('has the price of the model that the program names', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }));
    const session = troupe.session({ prompt: 'Go.', modelName: 'sonnet' });
    expect((await resultOf(session)).total_cost_usd).toBeGreaterThan(0);
    expect([...session.usage().byModel.keys()]).toEqual(['claude-sonnet-5-5']);
  });
});

describe('a session that is continued', () => {
  const script = () =>
    playParts({
      main: [
        ({ messages }: ModelRequest) =>
          messages.length === 1
            ? { tools: [agentCall('worker')] }
            : { text: `Done ${messages.length}.` },
      ],
      worker: [{ text: 'x'.repeat(4_000) }],
    });

  /** Another process, as far as anybody can tell. */
  function openAgain(cwd: string, home: string) {
    const model = createScriptedModel(script());
    const troupe = createOrchestrator({ cwd, home, model, agents, permissions: ALLOW_ALL });
    onTestFinished(() => troupe.close());
    return troupe;
  }

  it('has used what its journals hold, and a copy of it nothing', async () => {
    const { troupe, cwd, home } = await createTroupe(script(), { agents });
    const session = troupe.session({ prompt: 'Go.', modelName: 'sonnet' });
    await session.outcome;
    const earlier = session.usage();
    expect(earlier.total.calls).toBe(3);
    const resume = session.sessionId;

    const again = openAgain(cwd, home).session({ resume, prompt: 'Once more.' });
    const result = await resultOf(again);
    const { total, own, byModel } = again.usage();
    expect([total.calls, own.calls]).toEqual([4, 3]);
    expect(total.costUsd).toBeGreaterThan(earlier.total.costUsd ?? 0);
    expect(result.total_cost_usd).toBe(total.costUsd);
    expect([...byModel.keys()]).toEqual(['claude-sonnet-5-5']);
    expect(total.usage.output_tokens).toBeGreaterThan(earlier.total.usage.output_tokens);

    const inOne = troupe.session({ resume, prompt: 'Again.' });
    await inOne.outcome;
    expect(inOne.usage().total.calls).toBe(5);

    const fork = openAgain(cwd, home).session({ resume, forks: true, prompt: 'Once more.' });
    await fork.outcome;
    expect(fork.usage().total.calls).toBe(1);
  });

  it('counts it against its budget', async () => {
    const { troupe, cwd, home } = await createTroupe(script(), { agents });
    const session = troupe.session({ prompt: 'Go.', taskBudget: { turns: 3 } });
    expect((await session.outcome).status).toBe('completed');
    const again = openAgain(cwd, home).session({
      resume: session.sessionId,
      prompt: 'Once more.',
      taskBudget: { turns: 3 },
    });
    expect(await again.outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'BUDGET_EXCEEDED', details: { unit: 'turns', cap: 3, used: 3 } },
    });
  });
});
