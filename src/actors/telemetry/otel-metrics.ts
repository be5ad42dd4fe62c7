import type * as OpenTelemetry from '@opentelemetry/api';
import { promptTokensOf } from '../../core/tasks/usage.js';
import { modelAttributes, PROVIDER } from './otel-attributes.js';
import type { SessionObserver } from './session-observer.js';

const SECOND_MS = 1_000;

/** Metrics of tokens, duration, cost and waiting; the first two by the GenAI conventions. */
export function createMetrics(api: typeof OpenTelemetry): SessionObserver {
  const meter = api.metrics.getMeter('troupe');
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Tokens of a model request',
    unit: '{token}',
  });
  const durations = meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'Duration of a model request',
    unit: 's',
  });
  const cost = meter.createCounter('troupe.cost', {
    description: 'Cost of model requests whose price is known',
    unit: 'USD',
  });
  const waits = meter.createHistogram('troupe.decision.wait', {
    description: 'How long a permission request waited',
    unit: 's',
  });
  return {
    requestEnded({ name }, request, { from, to }) {
      const chat = {
        'gen_ai.operation.name': 'chat',
        ...PROVIDER,
        ...modelAttributes(request),
      };
      const failed = request.isComplete ? {} : { 'error.type': 'incomplete' };
      durations.record((to - from) / SECOND_MS, { ...chat, ...failed });
      if (request.model === undefined) return;
      tokens.record(promptTokensOf(request.usage), { ...chat, 'gen_ai.token.type': 'input' });
      tokens.record(request.usage.output_tokens, { ...chat, 'gen_ai.token.type': 'output' });
      if (request.costUsd !== undefined)
        cost.add(request.costUsd, { ...chat, 'gen_ai.agent.name': name });
    },
    waitEnded({ toolName, at }, decision, to) {
      waits.record((to - at) / SECOND_MS, {
        'gen_ai.tool.name': toolName,
        'troupe.decision': decision?.behavior ?? 'withdrawn',
        ...(decision && { 'troupe.approver': decision.by }),
      });
    },
  };
}
