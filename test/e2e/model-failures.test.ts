import { describe, expect, it } from 'vitest';
import { comparePrefix } from '../../src/testing/compare-prefix.js';
import { eventsOf, type FakeModelReply, type FakeReply } from '../../src/testing/fake-reply.js';
import { agent, answer, bash, requestsOf, results, textOf } from './support/answers.js';
import { createPlace } from './support/place.js';

const STREAM = ['--output-format', 'stream-json', '--verbose'];
const AT_ONCE = { 'retry-after-ms': '1' };

const STATUSES = [408, 409, 429, 500, 502, 503, 504, 529];

describe.concurrent('a model that refuses', () => {
  it.for([
    { status: 400, type: 'invalid_request_error', says: 'what the fake says' },
    { status: 401, type: 'authentication_error', says: 'ANTHROPIC_API_KEY' },
    { status: 404, type: 'not_found_error', says: 'what the fake says' },
  ])(
    'ends it with exit code 1 and one line on stderr: $status',
    async ({ status, type, says }, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const api = await place.api({
        handler: () => ({ status, error: { type, message: 'what the fake says' } }),
      });
      const { code, stdout, stderr } = await place.call(['-p', 'go'], { api });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^troupe: [^\n]+\n$/);
      expect(stderr).toContain(says);
      expect(api.requests).toHaveLength(1);
    },
  );

  it('is a result in a stream', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const error = { type: 'invalid_request_error', message: 'what the fake says' };
    const api = await place.api({ handler: () => ({ status: 400, error }) });
    const { code, lines } = await place.call(['-p', 'go', ...STREAM], { api });
    expect(code).toBe(1);
    expect(lines.map((line) => line['subtype'] ?? line.type)).toEqual([
      'init',
      'error_during_execution',
    ]);
    expect(lines.at(-1)).toMatchObject({
      is_error: true,
      num_turns: 0,
      errors: [expect.stringContaining('what the fake says')],
      terminal_reason: 'api_error',
      api_error_status: 400,
      result_index: 0,
    });
  });

  it('fails a sub-agent, not the agent that asked it', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const error = { type: 'invalid_request_error', message: 'what the fake says' };
    const api = await place.api({
      handler: answer({
        go: [{ tools: [agent('fails')] }, { text: 'Done without.' }],
        fails: [{ status: 400, error }],
      }),
    });
    const { code, stdout } = await place.call(['-p', 'go'], { api });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done without.\n' });
    const [result] = results(requestsOf(api, 'go')[1]);
    expect(result?.is_error).toBe(true);
    expect(textOf(result?.content)).toContain('what the fake says');
  });

  it('is asked no more than --max-turns allows', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    let left = 5; // so that a run without the limit ends too
    const api = await place.api({
      handler: () => ((left -= 1) >= 0 ? { tools: [bash('echo again')] } : { text: 'Done.' }),
    });
    const { code, lines } = await place.call(['-p', 'go', ...STREAM, '--max-turns', '2'], { api });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      subtype: 'error_max_turns',
      is_error: true,
      num_turns: 2,
    });
    expect(api.requests).toHaveLength(2);
  });
});

describe.concurrent('a model that fails for a while', () => {
  it('is asked again, which the stream tells, counted from 1', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const overloaded = { status: 529, headers: AT_ONCE };
    const api = await place.api({ replies: [overloaded, overloaded, { text: 'There I am.' }] });
    const { code, lines } = await place.call(['-p', 'go', ...STREAM], { api });
    expect(code).toBe(0);
    const retries = lines.filter((line) => line['subtype'] === 'api_retry');
    expect(retries).toEqual(
      [1, 2].map((attempt) => ({
        type: 'system',
        subtype: 'api_retry',
        attempt,
        max_retries: 7,
        retry_delay_ms: expect.any(Number),
        error_status: 529,
        error: 'overloaded',
        message: expect.stringContaining('answered 529'),
        uuid: expect.any(String),
        session_id: expect.any(String),
      })),
    );
    expect(lines.at(-1)).toMatchObject({ type: 'result', result: 'There I am.', num_turns: 1 });
  });

  it('is asked again after every failure that may pass', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const failures: Readonly<Record<string, FakeReply>> = {
      ...Object.fromEntries(
        STATUSES.map((status) => [`status ${status}`, { status, headers: AT_ONCE }]),
      ),
      'connection reset': { connection: 'reset' },
      'error event': { text: 'lost', fault: { kind: 'error', afterEvents: 2 } },
      'cut stream': { text: 'lost', fault: { kind: 'cut', afterEvents: 2 } },
      'early end': { text: 'lost', fault: { kind: 'end', afterEvents: 2 } },
    };
    const names = Object.keys(failures);
    const seen = new Set<string>();
    const parts = names.map((name) => [
      name,
      [
        () => {
          if (seen.has(name)) return { text: `${name} has passed` };
          seen.add(name);
          return failures[name] as FakeReply; // one of its keys
        },
      ],
    ]);
    const api = await place.api({
      handler: answer({
        go: [{ tools: names.map((name) => agent(name)) }, { text: 'Done.' }],
        ...Object.fromEntries(parts),
      }),
    });
    const { code, lines } = await place.call(['-p', 'go', ...STREAM], { api });
    expect(code).toBe(0);
    expect(results(requestsOf(api, 'go')[1]).map(({ content }) => textOf(content))).toEqual(
      names.map((name) => expect.stringMatching(`^${name} has passed\n`)),
    );
    const retries = lines.filter((line) => line['subtype'] === 'api_retry');
    const statuses = retries.map((line) => line['error_status']);
    expect(statuses.filter((status) => status !== null).toSorted()).toEqual(STATUSES);
    // a request on a connection that was kept is sent again on a new one if it is reset, which is no retry
    expect([3, 4]).toContain(statuses.filter((status) => status === null).length);
  });
});

describe.concurrent('a reply that stops early', () => {
  const cut = (text: string): FakeReply => ({ text, stopReason: 'max_tokens' });

  it('is continued if it reached the output limit', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [cut('One, '), cut('two, '), { text: 'three.' }] });
    const { code, stdout } = await place.call(['-p', 'go'], { api });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'One, two, three.\n' });
    expect(api.problems).toEqual([]);
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
  });

  it('is an error after it was continued three times', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => cut('More. ') });
    const { code, lines } = await place.call(['-p', 'go', ...STREAM], { api });
    expect(code).toBe(1);
    expect(api.requests).toHaveLength(4);
    expect(lines.filter(({ type }) => type === 'assistant')).toHaveLength(4);
    expect(lines.at(-1)).toMatchObject({
      subtype: 'error_during_execution',
      num_turns: 4,
      stop_reason: 'max_tokens',
      errors: [expect.stringContaining('output limit')],
    });
  });

  it('is sent back if it was paused', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const paused = { text: 'Searching. ', stopReason: 'pause_turn' };
    const api = await place.api({ replies: [paused, { text: 'Found.' }] });
    const { code, stdout } = await place.call(['-p', 'go'], { api });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Searching. Found.\n' });
    expect(api.requests[1]?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('is an error if the model refused, and says so', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const details = { type: 'refusal', category: 'cyber', explanation: null };
    const events = eventsOf({ text: 'I ', stopReason: 'refusal' }).map((event) =>
      event.type === 'message_delta'
        ? { ...event, delta: { stop_reason: 'refusal', stop_details: details } }
        : event,
    );
    const api = await place.api({ handler: () => ({ events }) });
    const { code, stderr } = await place.call(['-p', 'go'], { api });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'troupe: The model refused to answer (cyber).\n',
    });
    expect(api.requests).toHaveLength(1);
    const { lines } = await place.call(['-p', 'go', ...STREAM], { api });
    expect(lines.at(-2)).toEqual({
      type: 'system',
      subtype: 'model_refusal_no_fallback',
      original_model: expect.any(String),
      request_id: null,
      api_refusal_category: 'cyber',
      api_refusal_explanation: null,
      content: 'The model refused to answer (cyber).',
      uuid: expect.any(String),
      session_id: expect.any(String),
    });
  });
});

describe.concurrent('a model that has too much to do', () => {
  const overloaded: FakeReply = { status: 529, headers: AT_ONCE };

  it('is replaced by --fallback-model', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: ({ body }) => (body.model === 'my-own' ? overloaded : { text: 'Done.' }),
    });
    const flags = ['--model', 'my-own', '--fallback-model', 'haiku'];
    const { code, lines } = await place.call(['-p', 'go', ...STREAM, ...flags], { api });
    expect(code).toBe(0);
    const haiku = 'claude-haiku-5-5';
    expect(api.requests.map(({ body }) => body.model)).toEqual([
      'my-own',
      'my-own',
      'my-own',
      haiku,
    ]);
    expect(lines.find((line) => line['subtype'] === 'model_fallback')).toMatchObject({
      from: 'my-own',
      to: haiku,
    });
    expect(Object.keys(lines.at(-1)?.['modelUsage'] as object)).toContain(haiku);
    const { stderr } = await place.call(['-p', 'go', '--verbose', ...flags], { api });
    expect(stderr).toContain(`${haiku} replaces my-own`);
  });

  it('is replaced by the model that the settings name', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: ({ body }) => (body.model === 'my-own' ? overloaded : { text: 'Done.' }),
    });
    const settings = JSON.stringify({ model: 'my-own', fallbackModel: ['other'] });
    const { stdout } = await place.call(['-p', 'go', '--settings', settings], { api });
    expect([stdout, api.requests.at(-1)?.body.model]).toEqual(['Done.\n', 'other']);
  });

  it('is not its own fallback', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => ({ text: 'Never.' }) });
    const flags = ['--model', 'haiku', '--fallback-model', 'claude-haiku-5-5'];
    const { code, stderr } = await place.call(['-p', 'go', ...flags], { api });
    expect(code).toBe(2);
    expect(stderr).toContain('is the model itself');
    expect(api.requests).toEqual([]);
  });

  it('has its rate limit told, with the time of its end', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const limited: FakeReply = {
      status: 429,
      headers: {
        ...AT_ONCE,
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2030-01-01T12:00:00Z',
      },
    };
    const api = await place.api({
      handler: ({ index }) => (index % 2 === 0 ? limited : { text: 'Done.' }),
    });
    const { code, lines } = await place.call(['-p', 'go', ...STREAM], { api });
    expect(code).toBe(0);
    const told = expect.stringContaining(
      'rate limit is reached (requests). It resets at 2030-01-01T12:00:00.000Z.',
    ) as string;
    expect(lines.filter((line) => line.type === 'rate_limit_event')).toEqual([
      {
        type: 'rate_limit_event',
        rate_limit_info: {
          status: 'rejected',
          resetsAt: Date.parse('2030-01-01T12:00:00Z') / 1_000,
        },
        severity: 'warning',
        message: told,
        uuid: expect.any(String),
        session_id: expect.any(String),
      },
    ]);
    const { stderr } = await place.call(['-p', 'go', '--verbose'], { api });
    expect(stderr).toEqual(told);
  });
});

/** Each tool writes a line, so that a second run of it would show. */
function threeTools(name: string): FakeModelReply {
  return {
    text: 'Three things.',
    tools: [1, 2, 3].map((number) => bash(`echo ${number} >> ${name}.log`)),
  };
}

describe('a reply with three tools', () => {
  const events = eventsOf(threeTools('x')).length;

  it.for(['cut', 'error', 'end'] as const)(
    'runs each tool at most once, wherever the stream breaks (%s)',
    async (kind, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const names = Array.from({ length: events + 1 }, (_, index) => `at-${index}`);
      const broken = new Set<string>();
      const parts = names.map((name, afterEvents) => [
        name,
        [
          (): FakeReply => {
            if (broken.has(name)) return { text: 'The rest is not needed.' };
            broken.add(name);
            return { ...threeTools(name), fault: { kind, afterEvents } };
          },
          { text: 'Seen.' },
        ],
      ]);
      const api = await place.api({
        handler: answer({
          go: [{ tools: names.map((name) => agent(name)) }, { text: 'Done.' }],
          ...Object.fromEntries(parts),
        }),
      });
      const { code } = await place.call(
        ['-p', 'go', '--allowedTools', 'Bash(echo *)', '--permission-mode', 'acceptEdits'],
        { api },
      );
      expect({ code, problems: api.problems }).toEqual({ code: 0, problems: [] });

      // how many tool uses were whole when the stream broke, by the events that had come
      const stops = eventsOf(threeTools('x')).flatMap(({ type }, index) =>
        type === 'content_block_stop' ? [index] : [],
      );
      for (const [index, name] of names.entries()) {
        const whole = stops.slice(1).filter((stop) => stop < index).length;
        const lines = place.has(`${name}.log`)
          ? (await place.text(`${name}.log`)).trim().split('\n')
          : [];
        const last = requestsOf(api, name).at(-1);
        const ids = new Set(results(last).map(({ tool_use_id }) => tool_use_id));
        expect({ name, lines, results: ids.size }).toEqual({
          name,
          lines: ['1', '2', '3'].slice(0, whole),
          results: whole,
        });
      }
    },
  );
});
