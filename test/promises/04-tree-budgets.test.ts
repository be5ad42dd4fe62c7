import { afterAll, describe, expect, it } from 'vitest';
import type { BudgetState } from '../../src/usage/budget.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { eventsOf, type FakeReply } from '../../src/testing/fake-reply.js';
import { agent, firstPrompt, results, textOf } from '../e2e/support/answers.js';
import { createPlace } from '../e2e/support/place.js';
import { createSimulatedTime } from '../support/simulated-time.js';
import { createTroupeOverHttp, defineAgent } from '../support/troupe.js';

const report: string[] = [];
afterAll(() => console.log(['tree budgets', ...report].join('\n  ')));

const MODEL = 'claude-sonnet-4-5';
/** The usage that the fake bills: 3,000 tokens of prompt and up to 700 of reply, at 3 and 15 dollars a million. */
const PROMPT_TOKENS = 3_000;
const REPLY_TOKENS = 700;

/** A server that bills every request, and keeps the books itself: in whole billionths of a dollar. */
function createBooks() {
  const books = { calls: 0, tokens: 0, nanoUsd: 0 };
  const bill = ({ body, index }: FakeRequest, reply: Parameters<typeof eventsOf>[0]): FakeReply => {
    const output = Math.min(REPLY_TOKENS, Number(body['max_tokens']));
    books.calls += 1;
    books.tokens += PROMPT_TOKENS + output;
    books.nanoUsd += PROMPT_TOKENS * 3_000 + output * 15_000;
    const events = eventsOf(reply, { model: body.model, sequence: index }).map((event) => {
      if (event.type === 'message_start')
        return {
          ...event,
          message: {
            ...(event['message'] as object),
            usage: { input_tokens: PROMPT_TOKENS, output_tokens: 1 },
          },
        };
      return event.type === 'message_delta'
        ? { ...event, usage: { output_tokens: output } }
        : event;
    });
    return { events };
  };
  return { books, bill };
}

const works = { tools: [{ name: 'TodoWrite', input: { todos: [] } }] };

describe('promise 4: tree budgets', () => {
  it('never costs a cent more than --max-budget-usd, with 50 agents in the background', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const { books, bill } = createBooks();
    const workers = Array.from({ length: 50 }, (_, index) =>
      agent(`w${index}`, { name: `w${index}`, run_in_background: true }),
    );
    const api = await place.api({
      handler: (request) =>
        firstPrompt(request.body) === 'go'
          ? bill(request, results(request).length > 0 ? { text: 'I wait.' } : { tools: workers })
          : bill(request, works),
    });
    const run = await place.run(
      ['-p', 'go', '--model', MODEL, '--max-budget-usd', '2', '--output-format', 'stream-json'],
      { api },
    );
    const result = run.lines.at(-1);
    const usd = books.nanoUsd / 1e9;
    const agents = new Set(api.requests.map(({ body }) => firstPrompt(body))).size;
    report.push(`${agents} agents, ${books.calls} calls: ${usd.toFixed(4)} of 2 USD`);
    expect(run.code).toBe(1);
    expect(result).toMatchObject({ subtype: 'error_max_budget_usd', is_error: true });
    expect(agents).toBe(51);
    expect(books.nanoUsd).toBeLessThanOrEqual(2e9);
    expect(usd).toBeGreaterThan(1.8); // work continues until close to it
    expect(Number(result?.['total_cost_usd'])).toBeCloseTo(usd, 9);
  }, 60_000);

  it('holds at every level of a tree at once, whichever unit is reached first', async () => {
    const { books, bill } = createBooks();
    const { troupe, api } = await createTroupeOverHttp(
      { handler: (request) => bill(request, works) },
      { agents: [defineAgent('worker', { tools: ['TodoWrite'] })], modelName: MODEL },
    );
    const session = troupe.session({
      hostsOnly: true,
      staysOpen: true,
      taskBudget: { usd: 4, tokens: 900_000, turns: 230 },
    });
    const budgets = [{ turns: 3 }, { usd: 0.15 }, { tokens: 40_000 }, undefined];
    const over: string[] = [];
    let looks = 0;
    const look = (id: string, budget: BudgetState | undefined): void => {
      looks += 1;
      for (const unit of ['usd', 'tokens', 'turns'] as const) {
        const { cap, used, reserved } = budget ?? {};
        const taken = (used?.[unit] ?? 0) + (reserved?.[unit] ?? 0);
        if (taken > (cap?.[unit] ?? Infinity) + 1e-9) over.push(`${id}: ${taken} ${unit}`);
      }
    };
    session.events.on('agent.sampled', () => {
      for (const { id } of [{ id: session.id }, ...session.tasks()])
        look(id, session.task(id)?.usage().budget);
    });
    const outcomes = await session.map(
      Array.from({ length: 24 }, (_, index) => budgets[index % budgets.length]),
      (taskBudget) => ({
        agent: 'worker',
        prompt: 'go',
        ...(taskBudget === undefined ? {} : { taskBudget }),
      }),
      { settle: true },
    );
    const reached = outcomes.map((outcome) =>
      outcome.status === 'failed' ? String(outcome.failure.details?.['unit']) : outcome.status,
    );
    report.push(
      `24 agents with budgets below one: ${books.calls} calls, ${books.tokens} tokens, ${(books.nanoUsd / 1e9).toFixed(4)} USD; ended by ${[...new Set(reached)].sort().join(', ')}; ${looks} looks, ${over.length} over`,
    );
    expect(over).toEqual([]);
    expect(api.requests.length).toBe(books.calls);
    expect(new Set(reached)).toEqual(new Set(['turns', 'usd', 'tokens']));
    expect(books.calls).toBeLessThanOrEqual(230);
    expect(books.tokens).toBeLessThanOrEqual(900_000);
    expect(books.nanoUsd).toBeLessThanOrEqual(4e9);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(24).fill('failed'));
    await session.kill();
  }, 30_000);

  it('keeps depth and fan-out below their caps, and says whose they are', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const told: string[] = [];
    /** Every agent asks for three more. */
    const api = await place.api({
      handler: (request) => {
        told.push(...results(request).map(({ content }) => textOf(content)));
        if (results(request).length > 0) return { text: 'Done.' };
        const depth = firstPrompt(request.body).length;
        const children = ['x', 'y', 'z'].map((name) =>
          agent('+'.repeat(depth + 1), { subagent_type: 'limited', description: name }),
        );
        return { tools: children };
      },
    });
    const limited = {
      description: 'Asks for more.',
      prompt: 'You ask for more.',
      taskBudget: { depth: 1, agents: 2 },
    };
    const run = await place.run(['-p', '+', '--agents', JSON.stringify({ limited })], { api });
    const deep = told.filter((text) => /allows agents at most 1 level below it/.test(text)).length;
    const many = told.filter((text) =>
      /allows 2 agents at once below it, and 2 are alive/.test(text),
    ).length;
    const deepest = Math.max(...api.requests.map(({ body }) => firstPrompt(body).length));
    report.push(
      `depth and fan-out: ${api.requests.length} calls, refused ${deep} times for depth and ${many} for number`,
    );
    expect(run.code).toBe(0);
    expect(deepest).toBe(3); // the session, a limited one, and one below that
    expect(deep).toBeGreaterThan(0);
    expect(many).toBeGreaterThan(0);
  }, 30_000);

  it('ends a whole tree when its time is up, and nothing of it runs on', async () => {
    const time = createSimulatedTime();
    const { troupe, api } = await createTroupeOverHttp(
      { handler: () => ({ connection: 'silent' }) },
      { agents: [defineAgent('worker')], modelName: MODEL, clock: time.clock, now: time.now },
    );
    const session = troupe.session({
      hostsOnly: true,
      staysOpen: true,
      taskBudget: { seconds: 600 },
    });
    const tasks = await Promise.all(
      Array.from({ length: 10 }, () => session.spawn({ agent: 'worker', prompt: 'go' })),
    );
    await api.request(9);
    time.advance(600_000);
    expect(await session.outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'BUDGET_EXCEEDED', details: { unit: 'seconds', cap: 600 } },
    });
    const ends = await Promise.all(tasks.map(({ outcome }) => outcome));
    report.push(
      `time: ${ends.length} agents ended with their session, ${troupe.inspect().children.length} actors left`,
    );
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['killed']));
    expect(troupe.inspect().children).toEqual([]);
  }, 30_000);
});
