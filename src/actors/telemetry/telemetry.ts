import { setTimeout } from 'node:timers/promises';
import { isTraced } from '../../model/anthropic/anthropic-sdk.js';
import { messageOf } from '../../core/errors.js';
import type { AnalyticsSink } from '../contract/analytics.js';
import type { EventBus } from '../services/event-bus.js';
import type { Timers } from '../services/timers.js';
import { hearSession, type WatchedAgents } from './hear-session.js';
import type { WatchedSession, watchSession } from './watch-session.js';

/** How long the end of an orchestrator waits until everything was sent. */
const CLOSE_LIMIT_MS = 5_000;

/** The telemetry of one session. */
export interface SessionTelemetry {
  /** Resolve with the variables that name the span of a place to a process there. */
  environment(
    place: Parameters<Spans['environment']>[0],
  ): Promise<Readonly<Record<string, string>>>;
}

type Spans = NonNullable<Awaited<ReturnType<typeof watchSession>>>;

/**
 * Spans, metrics and events about sessions. Nothing is made or loaded unless the program has registered a provider of
 * OpenTelemetry, or given a sink.
 */
export interface Telemetry {
  /** Watch a session from its first event on. @returns undefined if nobody collects anything */
  watch(
    session: WatchedSession & { readonly bus: EventBus; readonly agents: WatchedAgents },
  ): SessionTelemetry | undefined;
  /** Resolve when everything has been sent, at the latest after 5 s. Never reject. */
  close(): Promise<void>;
}

export function createTelemetry(sink: AnalyticsSink | undefined, timers: Timers): Telemetry {
  const pending = new Set<Promise<unknown>>();
  let isUsed = false;
  return {
    watch({ bus, agents, ...session }) {
      if (!isTraced() && sink === undefined) return undefined;
      isUsed = true;
      const hear = hearSession(bus, agents, timers);
      const watched = import('./watch-session.js')
        .then((loaded) => loaded.watchSession(session, hear, sink, pending))
        .catch(warn);
      pending.add(watched);
      void watched.then(() => pending.delete(watched));
      return { environment: async (place) => (await watched)?.environment(place) ?? {} };
    },
    async close() {
      if (!isUsed) return;
      const { flushProviders } = await import('./watch-session.js');
      const sent = (async () => {
        while (pending.size > 0) await Promise.allSettled(pending);
        await flushProviders();
      })();
      const limit = new AbortController();
      const waited = setTimeout(CLOSE_LIMIT_MS, undefined, { signal: limit.signal });
      await Promise.race([sent, waited.catch(() => {})]); // aborted below
      limit.abort();
    },
  };
}

function warn(error: unknown): undefined {
  process.emitWarning(`Nobody can watch a session: ${messageOf(error)}`, { type: 'TroupeWarning' });
}
