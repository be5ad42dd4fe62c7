import { context, metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { expect, it, onTestFinished } from 'vitest';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
} from '../../support/scripts.js';
import { ASK_FIRST, createTroupe } from '../../support/troupe.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;

/** Collect what sessions of this process report. */
function collect() {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  const numbers = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: numbers });
  const meters = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(meters);
  onTestFinished(() => {
    trace.disable();
    metrics.disable();
    context.disable();
    return meters.shutdown();
  });
  return {
    spans: () => spans.getFinishedSpans(),
    async points() {
      await meters.forceFlush();
      const all = numbers.getMetrics().at(-1)?.scopeMetrics ?? [];
      return Object.fromEntries(
        all
          .flatMap((scope) => scope.metrics)
          .map(({ descriptor, dataPoints }) => [
            `${descriptor.name} ${descriptor.unit}`,
            dataPoints.map(({ attributes, value }) => ({ attributes, value })),
          ]),
      );
    },
  };
}

/** The name of each span and of its parent. */
function treeOf(
  spans: readonly ReadableSpan[],
): readonly (readonly [string, string | undefined])[] {
  const nameOf = (id: string | undefined): string | undefined =>
    spans.find((span) => span.spanContext().spanId === id)?.name;
  return spans
    .map(({ name, parentSpanContext }) => [name, nameOf(parentSpanContext?.spanId)] as const)
    .toSorted();
}

const named = (spans: readonly ReadableSpan[], name: string) =>
  spans.find((span) => span.name === name);

it('a session makes spans of its agents, requests, tool calls and decisions, if the program collects traces', async () => {
  const { spans } = collect();
  const printed: string[] = [];
  const { troupe, cwd } = await createTroupe(
    playParts({
      main: [{ tools: [agentCall('worker')] }, { text: 'Done.' }],
      worker: [
        { tools: [bashCall('echo $TRACEPARENT; date > made')] },
        ({ messages }) => {
          printed.push(...newestResults(messages).map(resultText));
          return { text: 'Done.' };
        },
      ],
    }),
    {
      env: { ...process.env, TRACEPARENT },
      permissions: ASK_FIRST,
      canUseTool: async () => ({ behavior: 'allow' }),
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo $TRACEPARENT > hooked' }] },
        ],
      },
    },
  );
  const session = troupe.session({ prompt: 'Go.' });
  expect(await session.outcome).toMatchObject({ status: 'completed' });
  await troupe.close();
  const made = spans();
  expect(treeOf(made)).toEqual(
    [
      ['await_decision Bash', 'execute_tool Bash'],
      ['chat scripted', 'invoke_agent main'],
      ['chat scripted', 'invoke_agent main'],
      ['chat scripted', 'invoke_agent worker'],
      ['chat scripted', 'invoke_agent worker'],
      ['execute_tool Agent', 'invoke_agent main'],
      ['execute_tool Bash', 'invoke_agent worker'],
      ['invoke_agent main', undefined],
      ['invoke_agent worker', 'execute_tool Agent'],
    ].toSorted(),
  );
  expect(new Set(made.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE_ID]));
  const every = {
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.conversation.id': session.sessionId,
  };
  const bash = named(made, 'execute_tool Bash');
  const call = { 'gen_ai.tool.name': 'Bash', 'gen_ai.tool.call.id': expect.any(String) };
  expect(bash?.attributes).toEqual({
    ...every,
    ...call,
    'gen_ai.operation.name': 'execute_tool',
  });
  expect(named(made, 'await_decision Bash')?.attributes).toEqual({
    ...every,
    ...call,
    'gen_ai.operation.name': 'await_decision',
    'troupe.decision': 'allow',
    'troupe.approver': 'canUseTool',
  });
  expect(named(made, 'invoke_agent worker')?.attributes).toEqual({
    ...every,
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'worker',
    'gen_ai.agent.id': expect.stringMatching(/^a/),
  });
  expect(named(made, 'chat scripted')?.attributes).toEqual({
    ...every,
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'scripted',
    'gen_ai.response.model': 'scripted',
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.usage.output_tokens': expect.any(Number),
    'gen_ai.usage.cache_read.input_tokens': expect.any(Number),
    'gen_ai.usage.cache_creation.input_tokens': expect.any(Number),
  });
  const ofBash = `00-${TRACE_ID}-${bash?.spanContext().spanId}-01`;
  const { readFile } = await import('node:fs/promises');
  expect([printed, await readFile(`${cwd}/hooked`, 'utf8')]).toEqual([[ofBash], `${ofBash}\n`]);
});

it('the tokens, the cost and the waits of a session are metrics', async () => {
  const { points } = collect();
  const { troupe } = await createTroupe(
    playParts({ main: [{ tools: [bashCall('date > made')] }, { text: 'Done.' }] }),
    {
      permissions: ASK_FIRST,
      canUseTool: async () => ({ behavior: 'deny', message: 'No.' }),
      prices: { scripted: { input: 1, output: 1, cacheRead: 1 } },
    },
  );
  const { outcome, usage } = troupe.session({ prompt: 'Go.' });
  await outcome;
  const { costUsd, usage: used } = usage().total;
  await troupe.close();
  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': 'scripted',
    'gen_ai.response.model': 'scripted',
  };
  const summed = (count: number, sum: unknown = expect.any(Number)) =>
    expect.objectContaining({ count, sum });
  const prompt =
    used.input_tokens + used.cache_read_input_tokens + used.cache_creation_input_tokens;
  expect(await points()).toEqual({
    'gen_ai.client.operation.duration s': [{ attributes: chat, value: summed(2) }],
    'gen_ai.client.token.usage {token}': [
      { attributes: { ...chat, 'gen_ai.token.type': 'input' }, value: summed(2, prompt) },
      {
        attributes: { ...chat, 'gen_ai.token.type': 'output' },
        value: summed(2, used.output_tokens),
      },
    ],
    'troupe.cost USD': [
      {
        attributes: { ...chat, 'gen_ai.agent.name': 'main' },
        value: expect.closeTo(costUsd ?? -1),
      },
    ],
    'troupe.decision.wait s': [
      {
        attributes: {
          'gen_ai.tool.name': 'Bash',
          'troupe.decision': 'deny',
          'troupe.approver': 'canUseTool',
        },
        value: summed(1),
      },
    ],
  });
});

it('spans of the agents of a workflow are below the agent that started it', async () => {
  const { spans } = collect();
  const { troupe } = await createTroupe(
    playParts({ main: [{ text: 'Ready.' }], 'general-purpose': [{ text: 'Done.' }] }),
  );
  const session = troupe.session({ prompt: 'Go.', staysOpen: true });
  const workflow = await session.workflow({
    tasks: { look: { agent: 'general-purpose', prompt: 'Look.' } },
  });
  await workflow.outcome;
  session.end();
  await session.outcome;
  await troupe.close();
  expect(treeOf(spans()).filter(([name]) => name.startsWith('invoke_agent'))).toEqual([
    ['invoke_agent general-purpose', 'invoke_agent main'],
    ['invoke_agent main', undefined],
  ]);
});
