import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import type { ToolServer } from '../../support/mcp/tool-server.js';
import { callEach } from '../../support/mcp/call-each.js';
import { beginEvents, serveHostile, type Hostility } from '../../support/mcp/hostile-server.js';
import {
  createHttpServer,
  serveTools,
  serveToolsOverSse,
  type HttpServer,
} from '../../support/mcp/http-server.js';
import { createGate } from '../../support/gate.js';
import { resultText } from '../../support/scripts.js';
import { createSimulatedTime } from '../../support/simulated-time.js';

let http: HttpServer;
beforeAll(async () => {
  http = await createHttpServer();
});
afterAll(() => http.close());

const TOOLS = {
  tools: {
    echo: ({ args }) => String(args['text']),
    header: ({ headers, args }) => String(headers[String(args['name'])]),
  },
} satisfies Parameters<typeof serveTools>[2];

const callOf = (name: string, input: Record<string, unknown> = {}) => ({
  name: `mcp__f__${name}`,
  input,
});

describe.each([
  ['http', serveTools],
  ['sse', serveToolsOverSse],
] as const)('a server of type %s', (type, serve) => {
  it('lends its tools, and gets the headers of its configuration with each request', async () => {
    const url = serve(http, `/plain-${type}`, TOOLS);
    const { troupe, results } = await callEach(
      [
        callOf('echo', { text: 'hello' }),
        callOf('header', { name: 'x-key' }),
        callOf('header', { name: 'x-printed' }),
      ],
      {
        f: {
          type,
          url,
          headers: { 'X-Key': 'k', 'X-Printed': 'old' },
          headersHelper: `printf '{"X-Printed":"%s"}' "$CLAUDE_CODE_MCP_SERVER_NAME"`,
        },
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    expect(results.map(resultText)).toEqual(['hello', 'k', 'f']);
    expect(session.mcpServers()).toEqual([{ name: 'f', status: 'connected' }]);
  });

  it('that dies in the middle of a call fails only that call, and is found again', async () => {
    const path = `/dies-${type}`;
    const url = serve(http, path, {
      tools: {
        ...TOOLS.tools,
        die: () => {
          http.drop();
          return new Promise(() => {});
        },
      },
    });
    const { troupe, results } = await callEach([callOf('die'), callOf('echo', { text: 'back' })], {
      f: { type, url },
    });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results.map(resultText)).toEqual([
      expect.stringMatching(/it is unknown what the tool had done by then/),
      'back',
    ]);
  });

  it('that cannot be reached is an error with the reason', async () => {
    const gone = await createHttpServer();
    await gone.close();
    const { troupe } = await callEach([], { f: { type, url: `${gone.url}/mcp` } });
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    expect(session.mcpServers()).toEqual([
      {
        name: 'f',
        status: 'failed',
        problem: expect.stringContaining('it cannot be reached: no program listens there'),
      },
    ]);
  });
});

describe('a session over streamable HTTP', () => {
  it('is ended at the server when the orchestrator closes', async () => {
    const url = serveTools(http, '/ended', TOOLS);
    const { troupe } = await callEach([], { f: { type: 'streamable-http', url } });
    await troupe.session({ prompt: 'Go.' }).outcome;
    await troupe.close();
    expect(http.requests.filter((one) => one.endsWith(' /ended')).at(-1)).toBe('DELETE /ended');
  });

  it('is begun anew if the server has forgotten it', async () => {
    const path = '/forgets';
    const url = serveTools(http, path, TOOLS);
    const forget = async () => {
      serveTools(http, path, TOOLS);
      return callOf('echo', { text: 'lost' });
    };
    const { troupe, results } = await callEach([forget, callOf('echo', { text: 'back' })], {
      f: { type: 'http', url },
    });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results.map(resultText)).toEqual([
      expect.stringContaining('ended (its session is over) while echo ran'),
      'back',
    ]);
  });

  it('does not follow a redirect to another origin, and sends no headers there', async () => {
    const other = await createHttpServer();
    const seen: unknown[] = [];
    const away = other.serve('/mcp', ({ headers }, response) => {
      seen.push(headers);
      response.end();
    });
    const url = http.serve('/away', (_, response) => {
      response.writeHead(307, { location: away }).end();
    });
    const { troupe } = await callEach([], { f: { type: 'http', url, headers: { 'x-key': 'k' } } });
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    await other.close();
    expect(seen).toEqual([]);
    expect(session.mcpServers()[0]?.problem).toContain(`Redirect to ${away} not followed`);
  });

  it.each([
    [
      401,
      'it answered with HTTP 401: who are you? Run troupe mcp login f, or give its "headers" or "headersHelper".',
    ],
    [500, 'it answered with HTTP 500: who are you?'],
  ])('that is refused with %i says so', async (status, problem) => {
    const url = http.serve(`/refused-${status}`, (_, response) => {
      response.writeHead(status).end('who are you?');
    });
    const { troupe } = await callEach([], { f: { type: 'http', url } });
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    expect(session.mcpServers()[0]?.problem).toBe(problem);
  });

  it.each([
    ['exit 3', 'its headersHelper ended with 3'],
    ['echo secret', 'its headersHelper did not print a JSON object with text values'],
    [
      `printf '{"a b":"secret"}'`,
      'its headersHelper printed "a b", which cannot be sent as a header',
    ],
  ])('needs what its headersHelper prints: %s', async (headersHelper, problem) => {
    const { troupe } = await callEach([], {
      f: { type: 'http', url: `${http.url}/never`, headersHelper },
    });
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    expect(session.mcpServers()[0]?.problem).toBe(problem);
  });
});

const MEGABYTE = 'x'.repeat(1024 * 1024);
const eleven = (response: Parameters<Hostility>[0]): void => {
  for (let i = 0; i < 11; i += 1) response.write(MEGABYTE);
};

/** How a server answers a call, and the error that the call has. */
const HOSTILE: readonly (readonly [what: string, hostility: Hostility, error: string])[] = [
  [
    'an event without end',
    (response) => {
      beginEvents(response).write('data: ');
      eleven(response);
    },
    'it sent more than 10485760 characters in one event',
  ],
  [
    'an answer of 11 MB',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      eleven(response);
    },
    'its answer has more than 10485760 bytes',
  ],
  [
    'a web page',
    (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello.</p>'),
    'Unexpected content type: text/html',
  ],
  [
    'half an answer',
    (response) => {
      beginEvents(response).write('data: {"jsonrpc":"2.0",');
      response.end();
    },
    'the answer broke off: it is unknown what the tool had done by then',
  ],
  [
    'a broken connection',
    (response) => {
      beginEvents(response).flushHeaders();
      setImmediate(() => response.destroy());
    },
    'the answer broke off: it is unknown what the tool had done by then',
  ],
  [
    'an event that is no answer',
    (response, id) => void beginEvents(response).end(`data: {"jsonrpc":"2.0","id":${id}}\n\n`),
    'the answer is invalid, it has neither a result that is an object nor an error',
  ],
  [
    'JSON that is no answer',
    (response, id) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${id}}`),
    'the answer is invalid, it has neither a result that is an object nor an error',
  ],
  ['nothing', () => {}, 'gave no answer to go within 0.3 s, and the call was cancelled'],
  [
    'events for ever',
    (response) => {
      beginEvents(response);
      const more = setInterval(() => response.write(': still there\n\n'), 10);
      response.on('close', () => clearInterval(more));
    },
    'gave no answer to go within 0.3 s, and the call was cancelled',
  ],
];

describe('a hostile server', () => {
  it('fails its call, and no other one', async () => {
    const servers = HOSTILE.map(([, hostility, error], index) => [
      `h${index}`,
      {
        type: 'http' as const,
        url: serveHostile(http, `/hostile/${index}`, hostility),
        timeout: error.includes('0.3 s') ? 300 : 60_000,
      },
    ]);
    const calls = HOSTILE.flatMap((_, index) =>
      ['go', 'echo'].map((tool) => ({ name: `mcp__h${index}__${tool}` })),
    );
    const { troupe, results } = await callEach(calls, Object.fromEntries(servers));
    await troupe.session({ prompt: 'Go.' }).outcome;
    const texts = results.map(resultText);
    expect(HOSTILE.map(([what], index) => [what, texts[2 * index], texts[2 * index + 1]])).toEqual(
      HOSTILE.map(([what, , error]) => [what, expect.stringContaining(error), 'still here']),
    );
  });

  it('gets its stream opened again, from the last event on, if it can be resumed', async () => {
    const path = '/resumed';
    const url = serveHostile(http, path, (response, id, onGet) => {
      beginEvents(response).end('retry: 10\nid: first\ndata:\n\n');
      const result = { content: [{ type: 'text', text: 'the rest' }] };
      onGet(
        (resumed, from) =>
          void beginEvents(resumed).end(
            `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: from === 'first' ? result : {} })}\n\n`,
          ),
      );
    });
    const { troupe, results } = await callEach([callOf('go')], { f: { type: 'http', url } });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results.map(resultText)).toEqual(['the rest']);
  });

  it('loses the connection of a call that was cancelled', async () => {
    const closed = new Promise<{ readonly hasEnded: boolean }>((resolve) => {
      serveHostile(http, '/held', (response) => {
        beginEvents(response).on('close', () => resolve({ hasEnded: response.writableEnded }));
        response.flushHeaders();
      });
    });
    const server = { type: 'http' as const, url: `${http.url}/held`, timeout: 100 };
    const { troupe, results } = await callEach([callOf('go')], { f: server });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect([results.map(resultText), await closed]).toEqual([
      [expect.stringContaining('gave no answer to go within 0.1 s, and the call was cancelled')],
      { hasEnded: false },
    ]);
  });
});

it('a slow server holds up nothing but its own tools', async () => {
  const time = createSimulatedTime();
  const gate = createGate();
  const behindGate: HttpServer = {
    ...http,
    serve: (path, handler) =>
      http.serve(path, (request, response) => gate.opened.then(() => handler(request, response))),
  };
  const servers = {
    f: { type: 'http' as const, url: serveTools(http, '/fast', TOOLS) },
    slow: { type: 'http' as const, url: serveTools(behindGate, '/slow', TOOLS) },
  };
  const connected = (session: SessionHandle, name: string) =>
    new Promise<void>((resolve) => {
      session.events.on('mcp.status', (server) => {
        if (server.name === name && server.status === 'connected') resolve();
      });
    });
  const { troupe, requests } = await callEach(
    [
      async () => {
        gate.open();
        await slow;
        return callOf('echo', { text: 'hello' });
      },
    ],
    servers,
    { clock: time.clock, now: time.now, env: { ...process.env, ENABLE_TOOL_SEARCH: 'false' } },
  );
  const session = troupe.session({ prompt: 'Go.' });
  const slow = connected(session, 'slow');
  await connected(session, 'f');
  time.advance(5_000);
  await session.outcome;
  const [first, second] = requests.map(({ tools }) =>
    tools.map(({ name }) => name).filter((name) => name.endsWith('__echo')),
  );
  expect(first).toEqual(['mcp__f__echo']);
  expect(second).toEqual(['mcp__f__echo', 'mcp__slow__echo']);
});

describe('a server that changes its tools', () => {
  /** A server with the tool `swap`, which adds `late` and removes `early`. */
  const swapping = (): Parameters<typeof serveTools>[2] => {
    const tools: ToolServer['tools'] = {
      early: () => 'early',
      swap: async ({ changed }) => {
        delete tools['early'];
        tools['late'] = () => 'late';
        await changed();
        return 'swapped';
      },
    };
    return { tools };
  };
  const namesOf = ({ tools }: { readonly tools: readonly { readonly name: string }[] }) =>
    tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__'));

  it('adds tools behind the present ones of a live agent, from the next request on', async () => {
    const url = serveTools(http, '/changes', swapping());
    const { troupe, results, requests } = await callEach(
      [callOf('swap'), callOf('late'), callOf('early')],
      { f: { type: 'http', url } },
      { env: { ...process.env, ENABLE_TOOL_SEARCH: 'false' } },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(results.map(resultText)).toEqual(['swapped', 'late', expect.stringContaining('early')]);
    expect(results.map((one) => one.is_error)).toEqual([undefined, undefined, true]);
    const [before, ...after] = requests.map(namesOf);
    expect(before).toEqual(['mcp__f__early', 'mcp__f__swap']);
    expect(after).toEqual(after.map(() => ['mcp__f__early', 'mcp__f__swap', 'mcp__f__late']));
    const all = requests.map(({ tools }) => tools.slice(0, requests[0]?.tools.length));
    expect(all.every((tools) => JSON.stringify(tools) === JSON.stringify(all[0]))).toBe(true);
    const next = troupe.session({ prompt: 'Again.' });
    await next.outcome;
    expect(namesOf(requests.at(-1) ?? { tools: [] })).toEqual(['mcp__f__late', 'mcp__f__swap']);
  });

  it('is listed again when a tool of the program asks for it', async () => {
    const server = swapping();
    const url = serveTools(http, '/asked', server);
    const seen: (readonly string[])[] = [];
    const ask = buildTool({
      name: 'Ask',
      inputSchema: z.strictObject({}),
      description: () => 'Asks.',
      prompt: () => 'Asks.',
      async call(_, { session }) {
        server.tools['fresh'] = () => 'fresh';
        seen.push(namesOf({ tools: (await session.refreshTools?.()) ?? [] }));
        return { data: '' };
      },
      mapToolResultToToolResultBlockParam: (_, tool_use_id) => ({
        type: 'tool_result',
        tool_use_id,
        content: '',
      }),
    });
    const { troupe } = await callEach(
      [{ name: 'Ask' }],
      { f: { type: 'http', url } },
      { tools: [ask] },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(seen).toEqual([['mcp__f__early', 'mcp__f__swap', 'mcp__f__fresh']]);
  });
});
