import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { eventsOf, type FakeReply } from '../../src/testing/fake-reply.js';
import { createGate } from '../support/gate.js';
import { until } from '../processes/processes.js';
import { createPlace } from './support/place.js';

const PRICED = ['--model', 'claude-sonnet-4-5'];
const JSON_OUT = ['--output-format', 'json'];

/** A server that bills each request for 3,000 tokens of prompt and up to 700 of reply. */
function bill({ body, index }: FakeRequest, reply: Parameters<typeof eventsOf>[0]): FakeReply {
  const usage = { input_tokens: 3_000, output_tokens: 1 };
  const events = eventsOf(reply, { model: body.model, sequence: index }).map((event) => {
    if (event.type === 'message_start')
      return { ...event, message: { ...(event['message'] as object), usage } };
    if (event.type === 'message_delta')
      return { ...event, usage: { output_tokens: Math.min(700, Number(body.max_tokens)) } };
    return event;
  });
  return { events };
}

const works = { tools: [{ name: 'TodoWrite', input: { todos: [] } }] };

describe.concurrent('--max-budget-usd', () => {
  it('is never passed, leaves work possible until close to it, and is reported', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: (request) => bill(request, works) });
    const run = await place.call(
      ['-p', 'go', ...PRICED, '--max-budget-usd', '0.2', '--output-format', 'stream-json'],
      { api },
    );
    expect(run.code).toBe(1);
    const result = run.lines.at(-1);
    expect(result).toMatchObject({
      type: 'result',
      subtype: 'error_max_budget_usd',
      is_error: true,
      errors: [expect.stringMatching(/^Reached the budget of 0\.2 USD of amain-/)],
    });
    const cost = Number(result?.['total_cost_usd']);
    expect(cost).toBeCloseTo(api.requests.length * (0.009 + 0.0105), 10);
    expect(cost).toBeLessThanOrEqual(0.2);
    expect(cost).toBeGreaterThanOrEqual(0.16);
    const limits = api.requests.map(({ body }) => Number(body.max_tokens));
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(1_024);
  });

  it('counts what the session used before', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: (request) => bill(request, { text: 'Done.' }) });
    const run = async (...more: readonly string[]) => {
      const { code, stdout } = await place.call(['-p', 'go', ...PRICED, ...JSON_OUT, ...more], {
        api,
      });
      return { code, ...(JSON.parse(stdout) as Record<string, unknown>) };
    };
    const first = await run('--max-budget-usd', '0.1');
    expect(first).toMatchObject({ code: 0, total_cost_usd: 0.0195 });
    expect(await run('--continue')).toMatchObject({ code: 0, total_cost_usd: 0.039 });
    expect(await run('--continue', '--max-budget-usd', '0.04')).toMatchObject({
      code: 1,
      subtype: 'error_max_budget_usd',
      total_cost_usd: 0.039,
    });
    expect(await run('--continue', '--fork-session')).toMatchObject({
      code: 0,
      total_cost_usd: 0.0195,
    });
  });

  it('is passed by no more than the call under way when the process was killed', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const held = createGate();
    const api = await place.api({
      handler: async (request) => {
        if (request.index === 1) await held.opened;
        return bill(request, works);
      },
    });
    const args = [...PRICED, ...JSON_OUT, '--max-budget-usd', '0.2'];
    const killed = place.start(['-p', 'go', ...args], { api });
    await until('the second call is under way', () => api.requests.length === 2);
    killed.kill('SIGKILL');
    await killed.ended;
    held.open();
    const { code, stdout } = await place.call(['-p', 'continue', '--continue', ...args], { api });
    const result = JSON.parse(stdout) as Record<string, unknown>;
    expect({ code, subtype: result['subtype'] }).toEqual({
      code: 1,
      subtype: 'error_max_budget_usd',
    });
    const each = 0.009 + 0.0105;
    const counted = Number(result['total_cost_usd']);
    expect(counted).toBeCloseTo((api.requests.length - 1) * each, 10); // all but the one under way
    expect(counted).toBeLessThanOrEqual(0.2);
    const reserved = 0.009 + Number(api.requests[1]?.body.max_tokens) * (15 / 1_000_000);
    expect(each + reserved).toBeLessThanOrEqual(0.2); // never more than what was left
  });

  it('needs a price, and says how to give one', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: (request) => bill(request, { text: 'Done.' }) });
    const args = ['-p', 'go', '--model', 'mystery', '--max-budget-usd', '1'];
    const refused = await place.call(args, { api });
    expect({ ...refused, lines: [] }).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('the price of the model "mystery" is not known');
    expect(refused.stderr).toContain('"modelPrices": {"mystery":{"input":3,');
    expect(api.requests).toHaveLength(0);

    const prices = { mystery: { input: 1, output: 10, cacheRead: 0.1 } };
    const settings = ['--settings', JSON.stringify({ modelPrices: prices })];
    const paid = await place.call([...args, ...settings, ...JSON_OUT], { api });
    expect(paid.code).toBe(0);
    expect(JSON.parse(paid.stdout)).toMatchObject({ subtype: 'success', total_cost_usd: 0.01 });
  });

  it('leaves a cost that is not known unknown', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: (request) => bill(request, { text: 'Done.' }) });
    const { stdout } = await place.call(['-p', 'go', '--model', 'mystery', ...JSON_OUT], { api });
    expect(JSON.parse(stdout)).toMatchObject({
      total_cost_usd: null,
      modelUsage: { mystery: { inputTokens: 3_000, outputTokens: 700, costUSD: null } },
    });
  });

  it.for(['0', '-1', '0.00', 'five', '1e3', 'Infinity', '', '1,5'])(
    'cannot be %j',
    async (value, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const api = await place.api({ handler: () => ({ text: 'Done.' }) });
      const { code, stdout, stderr } = await place.call(['-p', 'go', `--max-budget-usd=${value}`], {
        api,
      });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`--max-budget-usd: "${value}" is not an amount of USD above 0`);
      expect(api.requests).toHaveLength(0);
    },
  );
});
