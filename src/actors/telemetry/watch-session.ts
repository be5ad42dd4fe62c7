import type * as OpenTelemetry from '@opentelemetry/api';
import { messageOf } from '../../core/errors.js';
import { isTraced } from '../../model/anthropic/anthropic-sdk.js';
import type { AnalyticsSink } from '../contract/analytics.js';
import { toldOnce } from '../services/told-once.js';
import { createAnalyticsEvents } from './analytics-events.js';
import type { hearSession } from './hear-session.js';
import { observeSession } from './observe-session.js';
import { createMetrics } from './otel-metrics.js';
import { createSpans, type SessionSpans } from './otel-spans.js';
import type { Environment } from '../../files/folders.js';

/** A session that is watched. */
export type WatchedSession = {
  readonly id: string;
  readonly env: Environment;
};

/**
 * Make spans, metrics and events of a session.
 *
 * @param hear passes the events of the session
 * @param pending gets the events that a sink sends later
 * @returns the spans; undefined if the program collects none
 */
export async function watchSession(
  { id, env }: WatchedSession,
  hear: ReturnType<typeof hearSession>,
  sink: AnalyticsSink | undefined,
  pending: Set<Promise<unknown>>,
): Promise<Pick<SessionSpans, 'environment'> | undefined> {
  const api = isTraced() ? await loadApi() : undefined;
  const spans = api && createSpans(api, { id, env });
  const observers = [
    spans,
    api && createMetrics(api),
    sink && createAnalyticsEvents(sink, id, pending),
  ].filter((one) => one !== undefined);
  hear(toldOnce('Telemetry of a session', observeSession(observers)));
  return spans;
}

async function loadApi(): Promise<typeof OpenTelemetry | undefined> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    process.emitWarning(
      `A program collects traces, but @opentelemetry/api cannot be loaded beside Troupe: ${messageOf(error)}. Install it there: sessions make no spans without it.`,
      { type: 'TroupeWarning' },
    );
    return undefined;
  }
}

/** Send what the providers of OpenTelemetry still hold. Never rejects. */
export async function flushProviders(): Promise<void> {
  if (!isTraced()) return;
  const { trace, metrics } = await import('@opentelemetry/api');
  const tracers = trace.getTracerProvider() as Flushable & { getDelegate?: () => Flushable };
  const providers: readonly Flushable[] = [
    tracers.getDelegate?.() ?? tracers,
    metrics.getMeterProvider() as Flushable,
  ];
  await Promise.allSettled(providers.map(async (one) => one.forceFlush?.()));
}

/** A provider of the SDK: the interface of the API has no such method. */
type Flushable = { readonly forceFlush?: () => Promise<void> };
