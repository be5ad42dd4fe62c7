import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, type TestContext } from 'vitest';
import { agent, answer, bash } from './support/answers.js';
import { createPlace } from './support/place.js';
import { ASKS, isAskFor, reply, say } from './support/stream-client.js';

const PROVIDER = pathToFileURL(
  fileURLToPath(new URL('../support/otlp/provider.mjs', import.meta.url)),
).href;
const RECEIVER = fileURLToPath(new URL('../support/otlp/receiver.mjs', import.meta.url));

type Attributes = Readonly<Record<string, unknown>>;
type Received = {
  readonly spans: readonly {
    readonly name: string;
    readonly traceId: string;
    readonly spanId: string;
    readonly parentSpanId?: string;
    readonly start: number;
    readonly end: number;
    readonly attributes: Attributes;
    readonly status?: object;
  }[];
  readonly metrics: readonly {
    readonly name: string;
    readonly unit: string;
    readonly points: readonly Attributes[];
  }[];
  readonly refused: readonly string[];
};

/** Start a receiver of OTLP over HTTP. */
async function startReceiver(onTestFinished: TestContext['onTestFinished']) {
  const receiver = spawn(process.execPath, [RECEIVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void receiver.kill());
  const [port] = (await once(createInterface(receiver.stdout), 'line')) as [string];
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    received: async () => (await (await fetch(`${url}/received`)).json()) as Received,
  };
}

it('the command sends spans and metrics to a receiver of OTLP, if a provider is loaded', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver(onTestFinished);
  const place = await createPlace(onTestFinished);
  const write = { name: 'Write', input: { file_path: 'new', content: 'x' } };
  const api = await place.api({
    handler: answer({
      go: [
        { tools: [agent('Look.')] },
        { tools: [bash('exit 3')] },
        { tools: [write] },
        { text: 'Done.' },
      ],
      'Look.': [{ tools: [bash('printf %s "$TRACEPARENT" > seen')] }, { text: 'Looked.' }],
    }),
  });
  const outer = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const troupe = place.start([...ASKS, '--allowedTools', 'Bash'], {
    api,
    input: 'open',
    nodeFlags: ['--import', PROVIDER],
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TRACEPARENT: outer },
  });
  troupe.send(say('go'));
  const ask = await troupe.line('the request', isAskFor('Write'));
  troupe.send(reply(ask, { behavior: 'allow', updatedInput: write.input }));
  troupe.endInput();
  const { code, stderr } = await troupe.ended;
  expect([code, stderr]).toEqual([0, '']);
  const { spans, metrics, refused } = await receiver.received();
  expect(refused).toEqual([]);

  const nameOf = (id = ''): string =>
    spans.find(({ spanId }) => spanId === id)?.name ?? (outer.includes(id) ? 'outside' : 'lost');
  const own = spans.filter(({ attributes }) => 'gen_ai.conversation.id' in attributes);
  const tree = own.map(({ name, parentSpanId }) => `${name} < ${nameOf(parentSpanId)}`);
  const model = String(api.requests[0]?.body.model);
  expect(tree.toSorted()).toEqual(
    [
      `chat ${model} < invoke_agent general-purpose`,
      `chat ${model} < invoke_agent general-purpose`,
      `chat ${model} < invoke_agent main`,
      `chat ${model} < invoke_agent main`,
      `chat ${model} < invoke_agent main`,
      `chat ${model} < invoke_agent main`,
      'await_decision Write < execute_tool Write',
      'execute_tool Agent < invoke_agent main',
      'execute_tool Bash < invoke_agent general-purpose',
      'execute_tool Bash < invoke_agent main',
      'execute_tool Write < invoke_agent main',
      'invoke_agent general-purpose < execute_tool Agent',
      'invoke_agent main < outside',
    ].toSorted(),
  );
  expect([...new Set(own.map(({ traceId }) => traceId))]).toEqual([outer.split('-')[1]]);
  for (const { start, end } of own) expect(end).toBeGreaterThanOrEqual(start);
  const calls = own
    .filter(({ name }) => name === 'execute_tool Bash')
    .toSorted((one, other) => one.start - other.start);
  expect(calls.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
    [{ code: 0 }, undefined],
    [{ message: 'the tool failed', code: 2 }, 'tool_error'],
  ]);
  const seen = await place.text('seen');
  expect(calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)).toContain(seen);

  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': model,
    'gen_ai.response.model': model,
  };
  const point = (more: Attributes) => ({
    attributes: { ...chat, ...more },
    count: 6,
    sum: expect.any(Number) as unknown,
  });
  const cost = (name: string) => ({
    attributes: { ...chat, 'gen_ai.agent.name': name },
    value: expect.any(Number) as unknown,
  });
  expect(metrics).toEqual([
    {
      name: 'gen_ai.client.token.usage',
      unit: '{token}',
      points: [point({ 'gen_ai.token.type': 'input' }), point({ 'gen_ai.token.type': 'output' })],
    },
    { name: 'gen_ai.client.operation.duration', unit: 's', points: [point({})] },
    { name: 'troupe.cost', unit: 'USD', points: [cost('main'), cost('general-purpose')] },
    {
      name: 'troupe.decision.wait',
      unit: 's',
      points: [
        {
          attributes: {
            'gen_ai.tool.name': 'Write',
            'troupe.decision': 'allow',
            'troupe.approver': 'stdio',
          },
          count: 1,
          sum: expect.any(Number) as unknown,
        },
      ],
    },
  ]);
});

it('the command sends nothing without a provider, and TRACEPARENT passes unchanged to its commands', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver(onTestFinished);
  const place = await createPlace(onTestFinished);
  const api = await place.api({
    handler: answer({
      go: [{ tools: [bash('printf %s "$TRACEPARENT" > seen')] }, { text: 'Done.' }],
    }),
  });
  await place.call(['-p', 'go', '--allowedTools', 'Bash'], {
    api,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TRACEPARENT: 'unchanged' },
  });
  expect([await place.text('seen'), await receiver.received()]).toEqual([
    'unchanged',
    { spans: [], metrics: [], refused: [] },
  ]);
});
