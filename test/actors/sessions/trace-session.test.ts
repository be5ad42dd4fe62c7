import { context, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, it, onTestFinished } from 'vitest';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
} from '../../support/scripts.js';
import { createTroupe } from '../../support/troupe.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;

it('a session makes spans of its agents, requests and tool calls, if the program collects traces', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  const printed: string[] = [];
  const { troupe } = await createTroupe(
    playParts({
      main: [{ tools: [agentCall('worker')] }, { text: 'Done.' }],
      worker: [
        { tools: [bashCall('echo $TRACEPARENT')] },
        ({ messages }) => {
          printed.push(...newestResults(messages).map(resultText));
          return { text: 'Done.' };
        },
      ],
    }),
    { env: { ...process.env, TRACEPARENT } },
  );
  const session = troupe.session({ prompt: 'Go.' });
  expect(await session.outcome).toMatchObject({ status: 'completed' });
  const spans = exporter.getFinishedSpans();
  const nameOf = (id: string | undefined): string | undefined =>
    spans.find((span) => span.spanContext().spanId === id)?.name;
  const tree = spans.map(({ name, parentSpanContext }) => [
    name,
    nameOf(parentSpanContext?.spanId),
  ]);
  const model = spans.find(({ name }) => name.startsWith('chat'))?.name;
  expect(tree.toSorted()).toEqual(
    [
      [model, 'invoke_agent main'],
      [model, 'invoke_agent main'],
      [model, 'invoke_agent worker'],
      [model, 'invoke_agent worker'],
      ['execute_tool Agent', 'invoke_agent main'],
      ['execute_tool Bash', 'invoke_agent worker'],
      ['invoke_agent main', undefined],
      ['invoke_agent worker', 'execute_tool Agent'],
    ].toSorted(),
  );
  expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE_ID]));
  const bash = spans.find(({ name }) => name === 'execute_tool Bash');
  expect(bash?.attributes).toEqual({
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.conversation.id': session.sessionId,
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'Bash',
    'gen_ai.tool.call.id': expect.any(String),
  });
  expect(printed).toEqual([`00-${TRACE_ID}-${bash?.spanContext().spanId}-01`]);
  const chat = spans.find(({ name }) => name === model);
  expect(chat?.attributes).toMatchObject({
    'gen_ai.request.model': expect.stringMatching(/./),
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.usage.output_tokens': expect.any(Number),
  });
});
