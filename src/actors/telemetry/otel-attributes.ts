import type { Attributes } from '@opentelemetry/api';
import { promptTokensOf } from '../../core/tasks/usage.js';
import type { SampledRequest } from '../services/event-bus.js';

/** Every span and metric has this attribute. */
export const PROVIDER = { 'gen_ai.provider.name': 'anthropic' } as const;

/** The models of a request, as attributes of spans and metrics. */
export function modelAttributes({ requestedModel, model }: SampledRequest): Attributes {
  return {
    'gen_ai.request.model': requestedModel,
    ...(model !== undefined && { 'gen_ai.response.model': model }),
  };
}

/** The attributes of the span of a request. */
export function chatAttributes(request: SampledRequest): Attributes {
  const { usage, costUsd } = request;
  return {
    ...modelAttributes(request),
    'gen_ai.usage.input_tokens': promptTokensOf(request.usage), // the conventions count those of the cache
    'gen_ai.usage.output_tokens': usage.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cache_read_input_tokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cache_creation_input_tokens,
    ...(costUsd !== undefined && { 'troupe.cost': costUsd }),
  };
}
