import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { ResultMessage } from '../../../src/actors/contract/result-message.js';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import { createAnthropicModel } from '../../../src/model/anthropic/anthropic-model.js';
import type { ModelEvent } from '../../../src/model/model.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import { newestResults, playParts } from '../../support/scripts.js';
import { createTroupe, createTroupeOverHttp, type TroupeOptions } from '../../support/troupe.js';

const MODEL = 'claude-sonnet-4-5';

/** A reply of the API with these blocks, event by event. */
function replyWith(
  blocks: readonly object[],
  { stopReason = 'end_turn', searches = 0 } = {},
): FakeReply {
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 },
  };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: MODEL, usage };
  const events: readonly ModelEvent[] = [
    { type: 'message_start', message: { ...message, content: [] } },
    ...blocks.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stopReason }, usage },
    { type: 'message_stop' },
  ];
  return { events };
}

const searched = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
const found = (content: unknown) => ({
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content,
});
const page = (name: string) => ({
  type: 'web_search_result',
  title: name,
  url: `https://${name}.test/`,
  encrypted_content: 'x',
  page_age: null,
});

/** Searches, and ends with what the tool returned. `replies` answer the requests that name the server tool. */
async function search(
  replies: readonly FakeReply[],
  { maxBudgetUsd, ...options }: TroupeOptions & { readonly maxBudgetUsd?: number } = {},
) {
  const queue = [...replies];
  const input = { query: 'node 24', allowed_domains: ['test'] };
  let turns = 0;
  const { troupe, api, cwd, home } = await createTroupeOverHttp(
    {
      handler({ body }) {
        if (JSON.stringify(body['tools']).includes('web_search_2'))
          return queue.shift() ?? { status: 400 };
        turns += 1;
        return turns === 1 ? { tools: [{ name: 'WebSearch', input }] } : { text: 'Done.' };
      },
    },
    { modelName: MODEL, ...options },
  );
  const session = troupe.session({
    prompt: 'Go.',
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
  });
  await session.outcome;
  const bodies = api.requests.map(({ body }) => body);
  const last = bodies.at(-1)?.messages.at(-1)?.content;
  const asked = bodies.filter(({ tools }) => JSON.stringify(tools).includes('web_search_2'));
  return { result: last, asked, session, api, cwd, home };
}

const resultOf = (result: unknown): unknown =>
  Array.isArray(result) ? (result[0] as { content: unknown }).content : result;

describe('an agent that uses WebSearch', () => {
  it('searches by the tool of the API, and continues a turn that the API has paused', async () => {
    const { result, asked, session } = await search([
      replyWith([searched, found([page('a'), page('b')])], { stopReason: 'pause_turn' }),
      replyWith([
        searched,
        found([page('b'), page('c')]),
        { type: 'text', text: 'Node 24 is out.' },
      ]),
    ]);
    expect(resultOf(result)).toBe(
      'Found for "node 24":\n- [a](https://a.test/)\n- [b](https://b.test/)\n- [c](https://c.test/)\n\nNode 24 is out.',
    );
    expect(asked.map(({ tools }) => tools)).toEqual([
      [
        {
          type: 'web_search_20250305',
          name: 'web_search',
          max_uses: 5,
          allowed_domains: ['test'],
        },
      ],
      [expect.objectContaining({ type: 'web_search_20250305' })],
    ]);
    expect(asked[0]?.messages[0]?.content).toMatchObject([
      { type: 'text', text: 'Search the web for this query:\n<query>\nnode 24\n</query>' },
    ]);
    expect(asked[1]?.messages[1]).toMatchObject({
      role: 'assistant',
      content: [searched, { type: 'web_search_tool_result' }],
    });
    expect(session.usage().total.calls).toBe(4);
  });

  it.each([
    [
      'unavailable',
      'The search failed: the search of the API is not available now. Try again later.',
    ],
    ['query_too_long', 'The search failed: the query is too long. Use fewer words.'],
    ['something_new', 'The search failed: the API says "something_new".'],
  ])('tells why the API did not search: %s', async (error_code, message) => {
    const failed = found({ type: 'web_search_tool_result_error', error_code });
    const { result } = await search([replyWith([searched, failed])]);
    expect(resultOf(result)).toBe(message);
  });

  it('tells that the model did not search', async () => {
    const { result } = await search([replyWith([{ type: 'text', text: 'I know it.' }])]);
    expect(resultOf(result)).toBe(
      'The model did not search. It said: I know it. Write the query differently.',
    );
  });

  it('tells that the endpoint has no search', async () => {
    const error = { type: 'invalid_request_error', message: 'web search is not enabled' };
    const { result } = await search([{ status: 400, error }]);
    expect(resultOf(result)).toContain('web search is not enabled');
  });
});

describe('the fees of searches', () => {
  const prices = { [MODEL]: { input: 0, output: 0, cacheRead: 0 } };
  const replies = [
    replyWith([searched, found([page('a')])], { stopReason: 'pause_turn', searches: 2 }),
    replyWith([searched, found([page('b')])], { searches: 3 }),
  ];
  const resultOfSession = async (session: SessionHandle): Promise<ResultMessage | undefined> => {
    for await (const message of session) if (message.type === 'result') return message;
    return undefined;
  };

  it('are a cent each, in results, in the journal and after a resume', async () => {
    const { session, api, cwd, home } = await search(replies, { prices });
    const cost = {
      total_cost_usd: 0.05,
      usage: { server_tool_use: { web_search_requests: 5 } },
      modelUsage: { [MODEL]: { webSearchRequests: 5, costUSD: 0.05 } },
    };
    expect(await resultOfSession(session)).toMatchObject(cost);
    const model = createAnthropicModel({ baseURL: api.url, apiKey: 'test' });
    const later = createOrchestrator({ cwd, home, model, modelName: MODEL, prices });
    onTestFinished(() => later.close());
    const resumed = later.session({ resume: session.sessionId, prompt: 'Once more.' });
    expect(await resultOfSession(resumed)).toMatchObject(cost);
  });

  it('are reserved in a budget before the search, five for each request', async () => {
    const { result, asked } = await search(replies, { prices, maxBudgetUsd: 0.0699 });
    expect(asked).toHaveLength(1);
    expect(resultOf(result)).toContain(
      '0.02 USD are used and the next model request may use 0.05 USD more.',
    );
  });
});

describe('the search of a session', () => {
  const toolsOf = async (options: TroupeOptions) => {
    let names: readonly string[] = [];
    const { troupe } = await createTroupe(({ tools }) => {
      names = tools.map(({ name }) => name);
      return { text: 'Done.' };
    }, options);
    await troupe.session({ prompt: 'Go.' }).outcome;
    return names;
  };
  const webSearch = {
    search: () =>
      Promise.resolve({ results: [{ title: 'A', url: 'https://a.test/', snippet: 'of A' }] }),
  };
  const builtInTools = ['WebSearch', 'WebFetch'];

  it('is there if the program or the model has one', async () => {
    expect(await toolsOf({ builtInTools })).toEqual(['WebFetch']);
    expect(await toolsOf({ builtInTools, webSearch })).toEqual(['WebFetch', 'WebSearch']);
  });

  it('is that of the program, if it gives one', async () => {
    const script = playParts({
      main: [
        { tools: [{ name: 'WebSearch', input: { query: 'a page' } }] },
        ({ messages }) => ({ text: String(newestResults(messages)[0]?.content) }),
      ],
    });
    const { troupe } = await createTroupe(script, { webSearch });
    expect(await troupe.session({ prompt: 'Go.' }).outcome).toEqual({
      status: 'completed',
      result: 'Found for "a page":\n- [A](https://a.test/): of A',
    });
  });

  it('must be able to search', () => {
    const model = createScriptedModel(() => ({}));
    const wrong = { model, webSearch: {} } as unknown as Parameters<typeof createOrchestrator>[0];
    expect(() => createOrchestrator(wrong)).toThrow(
      'createOrchestrator: webSearch must be an object with a method search',
    );
  });
});
