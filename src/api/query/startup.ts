/// <reference lib="esnext.disposable" preserve="true" />
import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { onAbort } from '../../core/on-abort.js';
import { checkOptions, strictOptions } from '../../tools/calls/check-options.js';
import type { QueryOptions } from './query-options.js';
import type { Query, SDKUserMessage } from './query-types.js';
import { createQuery } from './query.js';

/** Options of a query, before its prompt is known. */
export type StartupRequest = {
  /** Options with the names of the Claude Agent SDK. */
  readonly options?: QueryOptions;
  /** How long the MCP servers may take to connect, ms; 60,000 if absent. */
  readonly initializeTimeoutMs?: number;
};

/** A query without a prompt: its options are read, and its MCP servers run. */
export interface WarmQuery extends AsyncDisposable {
  /** Begin the query, as `query` does. @throws UsageError at a second call, or after `close` */
  query(prompt: string | AsyncIterable<SDKUserMessage>): Query;
  /** End the query and its servers. */
  close(): void;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const Request = strictOptions({
  options: z.unknown(),
  initializeTimeoutMs: z.number().positive(),
}).partial();

/**
 * Prepare a query before its prompt is known: read settings, agents and instructions, and connect the MCP servers. A server
 * that cannot connect is reported when the query begins.
 *
 * @throws UsageError for an invalid option, or if the servers take longer than `initializeTimeoutMs`
 * @throws AbortError if `options.abortController` has aborted
 */
export async function startup(request: StartupRequest = {}): Promise<WarmQuery> {
  checkOptions(Request, request, 'startup');
  const { options, initializeTimeoutMs = DEFAULT_TIMEOUT_MS } = request;
  const { beginQuery, readyQuery } = await import('./open-query.js');
  const ready = await readyQuery(options);
  const close = (): Promise<void> => ready.orchestrator.close('the query has ended');
  const { signal } = ready.prepared.start;
  const stopListening = onAbort(signal, () => void close());
  try {
    await inTime(ready.orchestrator.ready(), initializeTimeoutMs);
  } catch (error) {
    await close();
    throw error;
  }
  let isOver = false;
  const leave = (): void => {
    isOver = true;
    stopListening();
  };
  return {
    query(prompt) {
      if (isOver)
        throw new UsageError('startup: the query has begun already, or was closed. Start another.');
      leave();
      return createQuery(() => beginQuery(ready, prompt), close);
    },
    close() {
      leave();
      void close();
    },
    async [Symbol.asyncDispose]() {
      leave();
      await close();
    },
  };
}

async function inTime(connecting: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new UsageError(
          `startup: the MCP servers were not connected within ${limitMs} ms. Raise initializeTimeoutMs.`,
        ),
      );
    }, limitMs);
  });
  try {
    await Promise.race([connecting, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
